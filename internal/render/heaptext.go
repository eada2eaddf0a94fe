package render

import (
	"github.com/tarebench/tare/internal/result"

	"github.com/tarebench/tare/internal/termtext"
)

// heapShow prints what occupied heaps in the first of several shapes that fits:
// names are shortened, then the column of types goes, which come last anyway.
func (t *textReport) heapShow(s *result.Result, all bool) {
	blocks := t.heaps(s, all)
	if len(blocks) == 0 {
		return
	}
	const enough = 30 // columns of a shortened name that still tell what it is
	for _, typed := range []bool{true, false} {
		tb := t.heapColumns(blocks, typed)
		sizes := tb.layout()
		room := t.n - (tb.total(sizes) - sizes[0].whole)
		if typed && sizes[0].whole > room && room < enough {
			continue
		}
		tb.shrink(t.glyphs, max(room, 10), sizes)
		t.print(termtext.Normal, tb.render(t.glyphs, sizes, t.n, t.color)...)
		break
	}
	t.print(termtext.Normal, "")
}

func (t *textReport) heapColumns(blocks []heapBlock, typed bool) *table {
	tb := &table{columns: []column{{}, {title: "bytes", gap: 3, kind: ends}, {title: "share", gap: 2, kind: ends}, {title: "objects", gap: 2, kind: ends}}}
	if typed {
		tb.columns = append(tb.columns, column{title: "type", gap: 2})
	}
	const widest = 32 // columns of a type's name
	add := func(part heapTable, notes []string) {
		b := tableBlock{title: t.Middle(part.title, t.n)}
		rows := part.rows
		if part.rest != nil {
			rows = append(rows[:len(rows):len(rows)], *part.rest)
		}
		for _, r := range rows {
			name := "  " + r.name
			if r.file != "" {
				name += "  " + r.file
			}
			cells := []cell{{text: name}, {text: r.bytes}, {text: r.share}, {text: r.objects}}
			if typed && r.typ != "" {
				cells = append(cells, cell{text: t.Middle(r.typ, widest)})
			}
			b.lines = append(b.lines, tableLine{cells: cells})
			if r.path != "" {
				b.lines = append(b.lines, tableLine{wide: r.path, indent: 4, style: termtext.Dim})
			}
		}
		for _, n := range notes {
			b.lines = append(b.lines, tableLine{wide: n, indent: 2, style: termtext.Dim})
		}
		tb.blocks = append(tb.blocks, b)
	}
	for _, b := range blocks {
		if len(b.types.rows) == 0 {
			add(b.sites, b.notes)
			continue
		}
		add(b.sites, nil)
		add(b.types, b.notes)
	}
	return tb
}
