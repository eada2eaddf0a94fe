package layouttext

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/binary/layout"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
)

// Text writes one table of fields for each struct. It returns the first error of w.
func Text(w io.Writer, structs []*layout.Struct, o textpage.Options) error {
	p := page{textpage.New(o)}
	for _, s := range structs {
		p.Blank()
		p.head(s)
		p.table(s)
		p.sharing(s)
		p.orders(s)
	}
	return p.Flush(w)
}

// page is a text about structs.
type page struct{ *textpage.Page }

// words writes words behind a head, and further lines behind an indent.
func (p page) words(head, words, indent string) {
	p.Print(termtext.Normal, p.Chain(head, strings.Fields(words), " ", indent)...)
}

// headWidth is the column at which the first line of a struct ends.
const headWidth = 80

func (p page) head(s *layout.Struct) {
	left := "type " + p.Name(s.Name) + " struct"
	right := fmt.Sprintf("size %d, %s, align %d", s.Size, units.Plural(s.Lines, "line"), s.Align)
	gap := max(min(p.Columns, headWidth)-termtext.Width(left)-len(right), 2)
	p.Print(termtext.Normal, left+termtext.Pad(gap)+right)
	p.Items(termtext.Normal, p.Name(s.Path), p.Name(s.Where), s.Arch, block(s))
	p.Blank()
}

// block returns a phrase with the size in bytes of the heap block that holds the struct, "" if it is unknown.
func block(s *layout.Struct) string {
	switch {
	case s.Block == 0:
		return ""
	case s.Packed:
		return fmt.Sprintf("on the heap %d, in a block of %d that small objects share", s.Size, s.Block)
	case s.Aligned:
		return fmt.Sprintf("on the heap %d, from the start of a line", s.Block)
	}
	return fmt.Sprintf("on the heap %d, from anywhere in a line", s.Block)
}

// table writes the fields, with a rule above the first one of each cache line.
func (p page) table(s *layout.Struct) {
	most := p.Columns / 3
	t := &table.Table{Columns: []table.Column{{}, {}, {Max: most}, {Max: most}}}
	for _, f := range s.Fields {
		name, typ := p.Name(f.Name), p.Name(f.Type)
		switch {
		case f.Added():
			name = "-"
		case f.Open && strings.HasPrefix(f.Type, "struct"):
			typ = "struct" // its fields follow
		}
		t.Row(fmt.Sprintf("%8d", f.Offset), fmt.Sprintf("%4d", f.Size), strings.Repeat("  ", f.Depth)+name, typ)
	}
	fitted := t.Fit(p.Charset, p.Columns, 0)
	rows := fitted.Body(false)
	p.Print(termtext.Normal, "  offset  size  field")
	line := int64(-1)
	for i, f := range s.Fields {
		if l := f.Offset / s.Line; l != line && f.Offset < max(s.Size, 1) {
			line = l
			label := fmt.Sprintf("  %s line %d ", p.Text("──"), l)
			p.Print(termtext.Normal, label+strings.Repeat(p.Text("─"), max(fitted.Width()-termtext.Width(label), 2)))
		}
		head := termtext.Left(rows[i], fitted.Width()) + "  "
		p.words(head, p.note(s, i), termtext.Pad(min(termtext.Width(head), p.Columns/2)))
	}
}

// note returns the remarks about a field, "" if there are none.
func (p page) note(s *layout.Struct, i int) string {
	f := s.Fields[i]
	first, last := f.Offset/s.Line, (f.Offset+max(f.Size, 1)-1)/s.Line
	var notes []string
	switch {
	case f.Added() && f.Offset+f.Size == s.Size:
		notes = append(notes, "padding, added at the end")
	case f.Added():
		notes = append(notes, "padding, added")
	case f.Role == layout.Pad:
		notes = append(notes, "padding")
	case f.Hot():
		notes = append(notes, string(f.Role)+map[bool]string{true: " within"}[f.Within])
	}
	if f.Misaligned {
		notes = append(notes, "not aligned to 8: sync/atomic panics on it")
	}
	// The first earlier field that ends on the same line is named.
	before := slices.IndexFunc(s.Fields[:i], func(f layout.Field) bool {
		return f.Hot() && f.Size > 0 && (f.Offset+f.Size-1)/s.Line == first
	})
	if f.Hot() && before >= 0 {
		notes = append(notes, fmt.Sprintf("shares line %d with %s: written by another side?", first, p.Name(s.Fields[before].Name)))
	}
	switch {
	case f.Open || first == last || f.Added() && f.Size < s.Line:
	case f.Size <= s.Line:
		notes = append(notes, fmt.Sprintf("crosses into line %d", last))
	default:
		notes = append(notes, lines(first, last))
	}
	return strings.Join(notes, "; ")
}

// lines names a range of cache lines.
func lines(from, to int64) string {
	if to > from {
		return fmt.Sprintf("lines %d to %d", from, to)
	}
	return fmt.Sprintf("line %d", from)
}

// remark is a text about a range of cache lines.
type remark struct {
	from, to int64
	text     string
}

// sharing writes which cache lines several goroutines write, and whether that is false sharing.
func (p page) sharing(s *layout.Struct) {
	var all []remark
	for _, l := range s.Shared {
		for _, text := range remarks(l) {
			k := slices.IndexFunc(all, func(r remark) bool { return r.text == text && r.to == l.Line-1 })
			if k < 0 {
				k, all = len(all), append(all, remark{l.Line, l.Line, text})
			}
			all[k].to = l.Line
		}
	}
	if len(all) == 0 {
		return
	}
	p.Blank()
	p.words("", "sharing (a heuristic: types tell what is written at the same time, not by whom)", "  ")
	for _, r := range all {
		p.words("  "+lines(r.from, r.to)+"  ", p.Name(r.text), "          ")
	}
}

// maxNames is how many fields of a line are named.
const maxNames = 6

// remarks returns what is written on a line beside each other.
func remarks(s layout.Shared) (texts []string) {
	if s.Doubtful() {
		texts = append(texts, suspects(s)+": false sharing if different goroutines write them")
		if len(s.Hot) > 1 {
			texts[0] += ", good if the same do"
		}
	}
	switch beside := units.List(s.Plain, maxNames) + " beside " + units.List(s.Hot, maxNames); {
	case len(s.Plain) == 0:
	case len(s.Locks) == len(s.Hot):
		texts = append(texts, beside+": good if guarded by it")
	default:
		texts = append(texts, beside+": readers wait for its writers")
	}
	return texts
}

// order is another order of the fields.
type order struct {
	name string
	*layout.Order
}

// orders returns the other orders that there are.
func orders(s *layout.Struct) []order {
	all := []order{{"best order", s.Best}, {"atomic fields on lines of their own", s.Separated}}
	return slices.DeleteFunc(all, func(o order) bool { return o.Order == nil })
}

// orders writes how much padding there is, and the other orders with the bytes that they save.
func (p page) orders(s *layout.Struct) {
	if s.Padding > 0 {
		about := fmt.Sprintf("padding %d of %d bytes (%s)", s.Padding, s.Size, units.PercentTo(float64(s.Padding)/float64(s.Size), 0))
		switch {
		case s.Best != nil:
		case s.Spare > 0:
			about += "; with declared padding in it, other orders are not judged"
		default:
			about += ", and no order of the fields takes less"
		}
		p.Blank()
		p.words("", about, "  ")
	}
	for _, o := range orders(s) {
		p.Blank()
		p.words("", p.Text(fmt.Sprintf("%s: %d → %d bytes%s", o.name, s.Size, o.Size, blocks(s, o.Order))), "  ")
		var names []string
		for _, f := range o.Fields {
			switch {
			case f.Name == "_":
				names = append(names, p.Name(f.Name+" "+f.Type))
			case !f.Added():
				names = append(names, p.Name(f.Name))
			}
		}
		p.Print(termtext.Normal, p.Chain("  ", names, ", ", "  ")...)
	}
}

// blocks returns a phrase with the sizes of the heap block in the present and the other order of fields.
func blocks(s *layout.Struct, o *layout.Order) string {
	switch s.Block {
	case 0:
		return ""
	case o.Block:
		return fmt.Sprintf(", on the heap %d as before", o.Block)
	}
	return fmt.Sprintf(", on the heap %d → %d", s.Block, o.Block)
}

// List writes a table of structs, a line each.
func List(w io.Writer, structs []*layout.Struct, o textpage.Options) error {
	p := textpage.New(o)
	t := &table.Table{Columns: []table.Column{{Title: "type"}}}
	for _, title := range []string{"size", "padding", "best order", "on the heap", "shared lines"} {
		t.Columns = append(t.Columns, table.Column{Title: title, Kind: table.Right})
	}
	saved, padding := int64(0), int64(0)
	for _, s := range structs {
		saved += s.Waste()
		padding += s.Padding
		best, block := "", blank(s.Block)
		if s.Best != nil {
			best = blank(s.Best.Size)
			if s.Best.Block != s.Block {
				block += " → " + blank(s.Best.Block)
			}
		}
		shared := slices.DeleteFunc(slices.Clone(s.Shared), func(l layout.Shared) bool { return !l.Doubtful() })
		t.Row(p.Name(s.Path+"."+s.Name), fmt.Sprint(s.Size), blank(s.Padding), best, block, blank(int64(len(shared))))
	}
	p.Table(t.Fit(p.Charset, p.Columns, textpage.LeastName))
	p.Blank()
	p.Para(termtext.Normal, "%s, %d bytes of padding; other orders save %d", units.Plural(len(structs), "struct"), padding, saved)
	return p.Flush(w)
}

// blank returns a number as text, "" for 0.
func blank(n int64) string {
	return strings.TrimPrefix(fmt.Sprint(n), "0")
}
