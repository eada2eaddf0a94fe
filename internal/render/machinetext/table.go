package machinetext

import (
	"slices"

	"github.com/tarebench/tare/internal/render/table"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/machines"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/stat"
)

// shape is how the ratios of machines are shown.
type shape int

const (
	each     shape = iota // a column for each machine
	extremes              // the least, the median and the greatest
	none                  // the combined one alone
)

// mostColumns is the most machines that have a column each.
const mostColumns = 4

// usual returns the shape where there is room.
func (v *view) usual() shape {
	if len(v.r.Machines) > mostColumns {
		return extremes
	}
	return each
}

// mostName is the most cells of a machine's name.
const mostName = 16

// shown reports whether a row is in the table: of units other than the main one only what has changed, or is not the
// same on all machines.
func (v *view) shown(row *machines.Row) bool {
	c := &row.Combined
	quiet := []string{string(stat.Same), string(stat.Equivalent), string(stat.Identical), string(stat.Undecided)}
	return v.Verbose || c.Main || !slices.Contains(quiet, c.Verdict) || row.Across != nil && row.Across.Differ || row.Across == nil && c.Lo != c.Hi
}

// table has a row for each benchmark: the ratio on each machine, and the combined one.
func (v *view) table(s shape) *table.Table {
	tb := &table.Table{Columns: []table.Column{{}}}
	for i, title := range v.machineTitles(s) {
		gap := 2
		if i == 0 {
			gap = 3
		}
		tb.Columns = append(tb.Columns, table.Column{Title: title, Gap: gap, Kind: table.Figures})
	}
	tb.Columns = append(tb.Columns,
		table.Column{Title: "combined", Gap: 3, Kind: table.Figures},
		table.Column{Title: units.Level(v.r.Confidence) + " interval", Gap: 2, Kind: table.Right, Join: units.Dots, Mid: true},
		table.Column{Title: "another machine", Gap: 3, Kind: table.Right, Join: units.Dots, Mid: true, Drop: 1},
		table.Column{Title: "between", Gap: 3, Kind: table.Right, Drop: 2},
		table.Column{Title: "verdict", Gap: 3})
	for i := range v.r.Rows {
		if row := &v.r.Rows[i]; v.shown(row) {
			v.block(tb, row).Lines = append(v.block(tb, row).Lines, v.line(row, s))
		}
	}
	return tb
}

// block returns the block of a row: its package, and what is compared if there are several sides.
func (v *view) block(tb *table.Table, row *machines.Row) *table.Block {
	title := v.Name(row.Combined.Pkg)
	if len(v.r.Sides) > 2 {
		title += ": " + v.Name(row.Combined.Side) + " against " + v.Name(row.Combined.Base)
	}
	for i := range tb.Blocks {
		if tb.Blocks[i].Title == title {
			return &tb.Blocks[i]
		}
	}
	tb.Blocks = append(tb.Blocks, table.Block{Title: title})
	return &tb.Blocks[len(tb.Blocks)-1]
}

func (v *view) machineTitles(s shape) (out []string) {
	switch s {
	case none:
		return nil
	case extremes:
		return []string{"min", "median", "max"}
	}
	for _, m := range v.r.Machines {
		out = append(out, v.Middle(v.Name(m.Name), mostName))
	}
	return out
}

func (v *view) line(row *machines.Row, s shape) table.Line {
	c := &row.Combined
	lead := "  " + v.name(row)
	if !c.Main {
		lead = "    " + v.Name(c.Unit) // below the main unit
	}
	l := table.Line{Cells: append([]table.Cell{{Text: lead}}, v.onMachines(row, s)...)}
	interval := intervalCell(c.Lo, c.Hi)
	another, between := table.Cell{}, table.Cell{}
	if a := row.Across; a != nil {
		another = intervalCell(a.Another.Lo, a.Another.Hi)
		between.Text = units.Percent(float64(a.Share))
	} else if c.Verdict != string(stat.Undecided) || len(row.Machines) > 1 {
		interval = table.Cell{Text: "exact", Free: true}
		if c.Lo != c.Hi {
			interval = table.Cell{Text: ratio(c.Lo), Tail: ratio(c.Hi)}
		}
	}
	l.Cells = append(l.Cells, table.Cell{Text: ratio(c.Ratio)}, interval, another, between)
	return v.withVerdict(l, row)
}

// withVerdict adds the verdict and the marks of notes.
func (v *view) withVerdict(l table.Line, row *machines.Row) table.Line {
	c := &row.Combined
	text := word(c)
	ws := slices.DeleteFunc(slices.Clone(c.Warnings), func(w result.Warning) bool {
		return w.Code == machines.CodeDiffer || w.Code == machines.CodeMissing
	})
	if marks := v.Marks(&v.notes, v.name(row), ws); marks != "" {
		text += " " + marks
	}
	l.Cells = append(l.Cells, table.Cell{Text: text, Style: styleOf(c.Verdict, c.Trusted)})
	return l
}

// onMachines returns the ratio on each machine, or the least, the median and the greatest.
func (v *view) onMachines(row *machines.Row, s shape) (out []table.Cell) {
	switch s {
	case none:
		return nil
	case extremes:
		var all []float64
		for _, on := range row.Machines {
			all = append(all, float64(on.Ratio))
		}
		for _, x := range []float64{slices.Min(all), stat.Median(all), slices.Max(all)} {
			out = append(out, table.Cell{Text: ratio(result.Number(x))})
		}
		return out
	}
	for _, m := range v.r.Machines {
		cell := table.Cell{Text: units.None, Free: true}
		for _, on := range row.Machines {
			if on.Machine == m.Name {
				cell = table.Cell{Text: ratio(on.Ratio), Style: styleOf(on.Verdict, on.Trusted)}
			}
		}
		out = append(out, cell)
	}
	return out
}

// styleOf colours a change that is trusted.
func styleOf(verdict string, trusted bool) termtext.Style {
	switch stat.Verdict(verdict) {
	case stat.Faster, stat.Less:
		if trusted {
			return termtext.Green
		}
	case stat.Slower, stat.More:
		if trusted {
			return termtext.Red
		}
	}
	return termtext.Normal
}
