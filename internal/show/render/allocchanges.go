package render

import (
	"fmt"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
)

const (
	mostAllocChanges = 8  // of a benchmark that are shown, unless all are asked for
	allAllocChanges  = 50 // and then
)

// allocChanges shows the sites where the sides of a benchmark allocate differently.
func (p *view) allocChanges(s *result.Result, all bool) section {
	tb := &table.Table{Columns: []table.Column{
		{}, {Title: "line", Drop: 2}, {Title: "objects/op", Gap: 3, Kind: table.Right, Join: " → "}, {Title: "bytes/op", Kind: table.Right, Join: " → ", Drop: 3},
		{Title: "type", Drop: 1, Max: 32},
	}}
	for _, pair := range result.AllocPairs(s) {
		changes := pair.Changes()
		r := pair.New
		name := p.named(r.Pkg, r.Name, r.Procs, "")
		b := table.Block{Title: fmt.Sprintf("allocations of %s by site, %s → %s", name, p.Name(pair.Old.Side), p.Name(r.Side))}
		b.Lines = p.allocChangeLines(r.Pkg, changes, all)
		if len(changes) == 0 {
			if !all {
				continue
			}
			b.Lines = []table.Line{dimLine("no site differs")}
		}
		tb.Blocks = append(tb.Blocks, b)
	}
	return section{table: tb, least: 20, subject: "function"}
}

func (p *view) allocChangeLines(pkg string, changes []result.AllocChange, all bool) (out []table.Line) {
	most := mostAllocChanges
	if all {
		most = allAllocChanges
	}
	for i := range changes {
		if i == most {
			text := fmt.Sprintf("%d more sites differ", len(changes)-i)
			if !all {
				text += "; -v shows more"
			}
			return append(out, dimLine(text))
		}
		c := &changes[i]
		line := sitePlace(c.File, c.NewLine)
		switch {
		case c.NewLine == 0:
			line = sitePlace(c.File, c.OldLine)
		case c.OldLine != 0 && c.OldLine != c.NewLine:
			line += fmt.Sprintf(" (was %d)", c.OldLine)
		}
		out = append(out, table.Line{Cells: []table.Cell{
			{Text: "  " + p.Name(funcName(c.Func, pkg))}, {Text: p.Name(line)},
			{Text: allocObjects(c.Old), Tail: allocObjects(c.New)}, {Text: allocBytes(c.Old), Tail: allocBytes(c.New)},
			{Text: p.Name(typeName(c.Type))},
		}})
	}
	return out
}
