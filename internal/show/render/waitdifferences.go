package render

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/record"
)

// waitDifferences shows where goroutines of compared sides waited longer or shorter: a block for each benchmark that
// was traced on both.
func (p *view) waitDifferences(s *result.Result, all bool) section {
	out := section{table: &table.Table{Columns: []table.Column{
		{}, {Title: "line", Drop: 1}, {Title: "waits for", Gap: 3, Max: 28}, {Title: "old/op", Kind: table.Right}, {Title: "new/op", Kind: table.Right},
		{Title: "change", Kind: table.Right}, {Title: "ended by", Gap: 3, Max: 40, Drop: 2},
	}}, least: 12, subject: "function", notes: []string{
		"waits that differ between the sides: p < 0.05 by Welch's test, corrected for the number of sites",
	}}
	for i := range s.Comparisons {
		c := &s.Comparisons[i]
		if !c.Main {
			continue
		}
		old, side := waitsOf(s, c, c.Base), waitsOf(s, c, c.Side)
		if old == nil || side == nil {
			continue
		}
		name := p.named(c.Pkg, c.Name, c.Procs, "")
		b := table.Block{Title: fmt.Sprintf("waits of %s, %s → %s", name, p.Name(c.Base), p.Name(c.Side))}
		b.Lines = append(p.waitChanges(c.Pkg, old, side, all),
			dimLine("wall time of the benchmark's own goroutine: "+wallChange(old, side)),
			dimLine(fmt.Sprintf("%s and %d, means", units.Plural(old.Forks, "traced fork"), side.Forks)))
		out.table.Blocks = append(out.table.Blocks, b)
	}
	return out
}

// waitsOf returns the waits of a compared benchmark on one side, nil if it was not traced.
func waitsOf(s *result.Result, c *result.Comparison, side string) *result.Waits {
	for i := range s.Results {
		r := &s.Results[i]
		if r.Pkg == c.Pkg && r.Name == c.Name && r.Procs == c.Procs && r.Role == c.Role && r.Side == side {
			return r.Waits
		}
	}
	return nil
}

// enoughTraced is a number of traced forks that proves differences of the size of their spread.
const enoughTraced = 10

// waitChanges are the sites that differ.
func (p *view) waitChanges(pkg string, old, side *result.Waits, all bool) []table.Line {
	causes, sites := attached.WaitDifferences(old, side)
	for _, d := range causes {
		if d.Cause == record.WaitRunnable { // it has no sites
			sites = append(sites, d)
		}
	}
	least := leastWaits * math.Min(float64(old.Wall), float64(side.Wall))
	var out []table.Line
	more := 0
	for i := range sites {
		d := &sites[i]
		differs := d.P < 0.05/float64(len(sites)) || math.IsNaN(d.P) && min(old.Forks, side.Forks) > 1
		switch {
		case d.Cause == record.WaitWorkers && !all, !differs, math.Abs(d.Delta()) < least && !all, d.Delta() == 0:
		case len(out) >= mostWaits && !all:
			more++
		default:
			out = append(out, p.waitChange(pkg, d))
		}
	}
	switch {
	case len(out) == 0:
		text := "no difference proven in what goroutines wait for"
		if min(old.Forks, side.Forks) < enoughTraced {
			text += fmt.Sprintf("; --prof-forks %d may prove smaller ones", enoughTraced)
		}
		out = append(out, dimLine(text))
	case more > 0:
		out = append(out, dimLine(units.Plural(more, "more site")+" differ; -v shows all"))
	}
	return out
}

func (p *view) waitChange(pkg string, d *result.WaitDifference) table.Line {
	l := table.Line{Cells: p.siteCells(pkg, d.Cause, &d.At)}
	if d.Cause == record.WaitRunnable {
		l.Cells[0].Text = "  (all goroutines)"
	}
	sign := "+"
	if d.Delta() < 0 {
		sign = "−"
	}
	for _, text := range []string{
		units.Value("ns", float64(d.Old), 3), units.Value("ns", float64(d.New), 3), sign + units.Value("ns", math.Abs(d.Delta()), 3), p.endedBy(pkg, &d.By),
	} {
		l.Cells = append(l.Cells, table.Cell{Text: text})
	}
	return l
}

// wallChange writes the parts of the wall time on both sides.
func wallChange(old, side *result.Waits) string {
	names, ns := wallParts(side)
	new := map[string]float64{}
	for i, name := range names {
		new[name] = ns[i]
	}
	var parts []string
	oldNames, oldNS := wallParts(old)
	add := func(name string, a float64) {
		if b := new[name]; a != 0 || b != 0 {
			parts = append(parts, name+" "+nsChange(a, b))
		}
		delete(new, name)
	}
	for i, name := range oldNames[:len(oldNames)-1] {
		add(name, oldNS[i])
	}
	for _, name := range names[:len(names)-1] { // causes that only the new side has
		if _, ok := new[name]; ok {
			add(name, 0)
		}
	}
	add("rest", float64(old.Rest))
	return nsChange(float64(old.Wall), float64(side.Wall)) + " per op: " + strings.Join(parts, ", ")
}

// nsChange writes two times, or one if they are written alike.
func nsChange(a, b float64) string {
	old, new := units.Value("ns", a, 3), units.Value("ns", b, 3)
	if old == new {
		return new
	}
	return old + " → " + new
}
