package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
)

// mostGroups is how many groups of goroutines are shown of a benchmark, unless all
// are asked for.
const mostGroups = 5

// goroutineColumn is a figure of a group of goroutines.
type goroutineColumn struct {
	title string
	value func(g glyphs, x *result.GoroutineGroup) string
}

func goroutineColumns() []goroutineColumn {
	ns := func(of func(*result.GoroutineGroup) result.Number) func(glyphs, *result.GoroutineGroup) string {
		return func(g glyphs, x *result.GoroutineGroup) string { return g.three("ns", float64(of(x))) }
	}
	return []goroutineColumn{ // the last ones go first where there is no room
		{"goroutines", func(_ glyphs, x *result.GoroutineGroup) string {
			return strconv.FormatFloat(float64(x.Count), 'f', -1, 64)
		}},
		{"running/op", ns(func(x *result.GoroutineGroup) result.Number { return x.Running })},
		{"one: min", ns(func(x *result.GoroutineGroup) result.Number { return x.RunningMin })},
		{"avg", ns(func(x *result.GoroutineGroup) result.Number { return x.RunningAvg })},
		{"max", ns(func(x *result.GoroutineGroup) result.Number { return x.RunningMax })},
		{"runnable/op", ns(func(x *result.GoroutineGroup) result.Number { return x.Runnable })},
		{"blocked/op", ns(func(x *result.GoroutineGroup) result.Number { return x.Blocked })},
		{"slices/op", func(g glyphs, x *result.GoroutineGroup) string { return g.three("", float64(x.Slices)) }},
	}
}

// goroutines prints, for each benchmark that was traced, which goroutines ran: a block
// of a table each, with as many columns as there is room for.
func (t *textReport) goroutines(s *result.Result, all bool) {
	const enough = 30 // columns of a shortened name that still tell which function it is
	cols := goroutineColumns()
	for n := len(cols); n > 0; n-- {
		tb := t.goroutineTable(s, cols[:n], all)
		if len(tb.blocks) == 0 {
			return
		}
		sizes := tb.layout()
		room := t.n - (tb.total(sizes) - sizes[0].whole)
		if sizes[0].whole > room && room < enough && n > 1 {
			continue
		}
		tb.shrink(t.glyphs, max(room, enough), sizes)
		t.print(termtext.Normal, tb.render(t.glyphs, sizes, t.n, t.color)...)
		break
	}
	for _, l := range termtext.Wrap("running: on a P, one of the scheduler's GOMAXPROCS places, "+
		"also while the kernel runs something else; one: of one goroutine, over the measured windows of a fork", t.n) {
		t.print(termtext.Dim, t.Text(l))
	}
	t.print(termtext.Normal, "")
}

func (t *textReport) goroutineTable(s *result.Result, cols []goroutineColumn, all bool) *table {
	tb := &table{columns: []column{{}}}
	for i, c := range cols {
		gap := 2
		if i == 0 {
			gap = 3
		}
		tb.columns = append(tb.columns, column{title: c.title, gap: gap, kind: ends})
	}
	procs := procsOf(s.Results)
	for _, r := range inOrder(s.Results) {
		if r.Goroutines == nil {
			continue
		}
		name := t.benchmark(r.Name, r.Procs, len(procs[[2]string{r.Pkg, r.Name}]) > 1)
		if r.Side != "" {
			name += ", " + t.Name(r.Side)
		}
		b := tableBlock{title: t.Middle("goroutines of "+name, t.n)}
		groups, rest := shownGroups(r.Goroutines.Groups, all)
		for i := range groups {
			b.lines = append(b.lines, t.goroutineLine(&groups[i], cols))
		}
		if len(rest) > 0 {
			sum := result.Number(0)
			for _, g := range rest {
				sum += g.Running
			}
			b.lines = append(b.lines, tableLine{wide: fmt.Sprintf("%d more functions: %s/op running; -v shows all", len(rest), t.three("ns", float64(sum))), indent: 2, style: termtext.Dim})
		}
		if note := t.goroutineNote(r.Goroutines); note != "" {
			b.lines = append(b.lines, tableLine{wide: note, indent: 2, style: termtext.Dim})
		}
		tb.blocks = append(tb.blocks, b)
	}
	return tb
}

// shownGroups are those that are listed, and those of which only the sum is told. What
// most forks have not seen is only listed if all are.
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

func (t *textReport) goroutineLine(g *result.GoroutineGroup, cols []goroutineColumn) tableLine {
	name := t.Name(g.Func)
	if g.Func == "" {
		name = "(others)"
	}
	l := tableLine{cells: []cell{{text: "  " + name}}}
	for _, c := range cols {
		l.cells = append(l.cells, cell{text: c.value(t.glyphs, g)})
	}
	return l
}

// three is a figure with three digits, for which there is no interval.
func (g glyphs) three(unit string, x float64) string {
	s := scaleOf(unit, x, g)
	x /= s.div
	return strings.TrimSpace(g.number(x, rounding{places: someFigures - 1 - magnitude(x)}) + " " + s.long())
}

// goroutineNote says how the sums compare with the kernel's, and what they cover.
func (t *textReport) goroutineNote(g *result.Goroutines) string {
	text := plural(g.Forks, "traced fork")
	const clearly = 1.05
	switch share := float64(g.CPUShare); {
	case share > clearly: // goroutines run no longer than the trace tells
		text += fmt.Sprintf("; CPU time of the process is %.2f times all running: the rest went outside of goroutines, to the scheduler and the tracer", share)
	case share > 0:
		text += fmt.Sprintf("; CPU time of the process is %.2f of all running: scale by that for an estimate", share)
	}
	if g.Traced < 1 {
		text += fmt.Sprintf("; figures per op are scaled up from %s of the windows", t.percent(float64(g.Traced)))
	}
	return text
}
