package render

import (
	"fmt"
	"slices"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
)

// mostGroups is how many groups of goroutines are shown of a benchmark, unless all
// are asked for.
const mostGroups = 5

// goroutines shows, for each benchmark whose scheduling was traced, which goroutines ran.
func (p *view) goroutines(s *result.Result, all bool) section {
	out := section{table: &table.Table{Columns: []table.Column{{}}}, least: 30, subject: "goroutines", notes: []string{
		"running: on a P, one of the scheduler's GOMAXPROCS places, also while the kernel runs something else; " +
			"one: of one goroutine, over the measured windows of a fork",
	}}
	titles := []string{"goroutines", "running/op", "one: min", "avg", "max", "runnable/op", "blocked/op", "slices/op"}
	for i, title := range titles {
		c := table.Column{Title: title, Kind: table.Right, Drop: len(titles) - i}
		if i == 0 {
			c.Gap, c.Drop = 3, 0
		}
		out.table.Columns = append(out.table.Columns, c)
	}
	for _, r := range result.InOrder(s.Results) {
		if r.Goroutines == nil {
			continue
		}
		name := p.named(r.Pkg, r.Name, r.Procs, r.Side)
		b := table.Block{Title: "goroutines of " + name}
		groups, rest := shownGroups(r.Goroutines.Groups, all)
		for i := range groups {
			b.Lines = append(b.Lines, p.goroutineLine(&groups[i]))
		}
		if len(rest) > 0 {
			sum := result.Number(0)
			for _, g := range rest {
				sum += g.Running
			}
			more := fmt.Sprintf("%d more functions: %s/op running; -v shows all", len(rest), units.Value("ns", float64(sum), 3))
			b.Lines = append(b.Lines, dimLine(more))
		}
		b.Lines = append(b.Lines, dimLine(goroutineNote(r.Goroutines)))
		out.table.Blocks = append(out.table.Blocks, b)
	}
	return out
}

// shownGroups returns the groups that are listed, and those of which only the sum is shown. Groups that most forks did not
// have are listed only if all are asked for.
func shownGroups(groups []result.GoroutineGroup, all bool) (shown, rest []result.GoroutineGroup) {
	if all {
		return groups, nil
	}
	groups = slices.DeleteFunc(slices.Clone(groups), func(g result.GoroutineGroup) bool { return g.Count == 0 })
	if len(groups) > mostGroups+1 { // a line for one more is no longer than the line for the rest
		return groups[:mostGroups], groups[mostGroups:]
	}
	return groups, nil
}

func (p *view) goroutineLine(g *result.GoroutineGroup) table.Line {
	name := p.Name(g.Func)
	if g.Func == "" {
		name = "(others)"
	}
	l := table.Line{Cells: []table.Cell{{Text: "  " + name}, {Text: units.Plain(float64(g.Count))}}}
	for _, ns := range []result.Number{g.Running, g.RunningMin, g.RunningAvg, g.RunningMax, g.Runnable, g.Blocked} {
		l.Cells = append(l.Cells, table.Cell{Text: units.Value("ns", float64(ns), 3)})
	}
	l.Cells = append(l.Cells, table.Cell{Text: units.Value("", float64(g.Slices), 3)})
	return l
}

// goroutineNote returns how the sums compare with the kernel's, and what they cover.
func goroutineNote(g *result.Goroutines) string {
	text := units.Plural(g.Forks, "traced fork")
	const clearly = 1.05
	switch share := float64(g.CPUShare); {
	case share > clearly: // goroutines run no longer than the trace tells
		text += fmt.Sprintf("; CPU time of the process is %s times all running: the rest went outside of goroutines, to the scheduler and the tracer", units.Fixed(share, 2))
	case share > 0:
		text += fmt.Sprintf("; CPU time of the process is %s of all running: scale by that for an estimate", units.Fixed(share, 2))
	}
	if g.Traced < 1 {
		text += fmt.Sprintf("; figures per op are scaled up from %s of the windows", units.Percent(float64(g.Traced)))
	}
	return text
}
