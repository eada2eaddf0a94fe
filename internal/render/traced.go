package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

const mostTraced = 5 // functions of a benchmark that was traced, unless all are asked for

// tracedFunc is a function of what was traced.
type tracedFunc struct {
	*record.TraceFunc
	own  float64          // ns, without probes and long calls
	long record.LongCalls // that own is without
}

// tracedTable is what is shown of a benchmark that was traced: a row for each function, with
// its name, its calls per operation, their range in forks if they differ, and its share of
// the time.
type tracedTable struct {
	title     string
	bad       string // why there is nothing to show
	rows      [][]string
	more      int // functions that are left out
	dominated bool
	notes     []string
}

func (p *page) tracedTable(s *result.Result, x *result.Traced, all bool) (out tracedTable) {
	out.title = "calls of " + p.benchmark(x.Name, x.Procs, s.Run != nil && len(s.Run.Config.CPU) > 1)
	if x.Side != "" {
		out.title += ", " + p.Name(x.Side)
	}
	sum, err := record.MergeTraces(x.Traces)
	if err != nil {
		out.bad = p.Text(err.Error())
		return out
	}
	funcs, time := dearest(sum)
	if len(funcs) == 0 {
		out.bad = "no function with probes was called"
	}
	for i, f := range funcs {
		if !all && i >= mostTraced && len(funcs) > mostTraced+1 {
			out.more = len(funcs) - i
			break
		}
		out.rows = append(out.rows, p.tracedRow(sum, f, x.Pkg, time))
		out.dominated = out.dominated || f.Probes()
		if f.long.N > 0 {
			out.notes = append(out.notes, p.longCalls(f, x.Pkg))
		}
	}
	return out
}

func (g glyphs) tracedRow(sum *record.Trace, f *tracedFunc, pkg string, time float64) []string {
	mean, fewest, most := sum.PerOp(f.TraceFunc)
	perOp, spread, share := g.perOp(mean), "", "!"
	if sum.Window == record.AsmRough {
		perOp = cmp.Or(map[bool]string{true: "≈"}[g.UTF8], "~") + perOp
	}
	if lo, hi := g.perOp(fewest), g.perOp(most); lo != hi {
		spread = lo + g.Text(" … ") + hi
	}
	if !f.Probes() {
		share = g.percent(f.own / math.Max(time, 1))
	}
	if f.long.N > 0 {
		share += " *"
	}
	return []string{funcName(f.Name, pkg), perOp, spread, share}
}

// longCalls says what an order and a share are without.
func (g glyphs) longCalls(f *tracedFunc, pkg string) string {
	return fmt.Sprintf("* %s of the %s of %s are %s of %s: its first, of more work, or interrupted; its place and share are without",
		g.amount("ns", f.long.Self), g.amount("ns", f.CorrectedSelf), g.Text(funcName(f.Name, pkg)), plural(int(f.long.N), "call"), g.number(float64(f.Timed), rounding{}))
}

// tracedNote says what is marked, and where all of it is.
func tracedNote(dominated bool) string {
	say := "tare trace, given the record, shows all calls, by whom, and for how long"
	if dominated {
		say = "! its time is mostly that of the probe; its calls are exact. " + say
	}
	return say
}

// traced prints the functions of what was traced that took the most time, or were called
// most often where nothing takes any. All else about them is the matter of package report/calls.
func (t *textReport) traced(s *result.Result, all bool) {
	if len(s.Traced) == 0 {
		return
	}
	tb := &table{columns: []column{{}, {title: "calls/op", gap: 3, kind: figures}, {}, {title: "own time", gap: 2, kind: ends}}}
	dominated := false
	var notes []string
	for i := range s.Traced {
		x := t.tracedTable(s, &s.Traced[i], all)
		tb.blocks = append(tb.blocks, t.tracedBlock(x))
		dominated = dominated || x.dominated
		notes = append(notes, x.notes...)
		for _, row := range x.rows {
			if row[2] != "" {
				tb.columns[2] = column{title: "in forks", gap: 2, kind: ends}
			}
		}
	}
	sizes := tb.layout()
	tb.shrink(t.glyphs, max(10, t.n-(tb.total(sizes)-sizes[0].whole)), sizes)
	t.print(termtext.Normal, tb.render(t.glyphs, sizes, t.n, t.color)...)
	for _, n := range append(notes, tracedNote(dominated)) {
		t.print(termtext.Dim, termtext.Wrap(t.Text(n), t.n)...)
	}
	t.print(termtext.Normal, "")
}

func (t *textReport) tracedBlock(x tracedTable) tableBlock {
	b := tableBlock{title: t.Middle(x.title, t.n)}
	for _, row := range x.rows {
		b.lines = append(b.lines, tableLine{cells: []cell{{text: "  " + row[0]}, {text: row[1]}, {text: row[2]}, {text: row[3]}}})
	}
	if x.more > 0 {
		b.lines = append(b.lines, tableLine{wide: "and " + plural(x.more, "function") + " more", indent: 2})
	}
	if x.bad != "" {
		b.lines = []tableLine{{wide: t.Middle(x.bad, t.n-2), indent: 2}}
	}
	return b
}

// perOp writes a number of calls: all digits of a whole one, three of others.
func (g glyphs) perOp(x float64) string {
	if x == math.Trunc(x) && x < 1e15 {
		return g.number(x, rounding{})
	}
	m := magnitude(x)
	return g.number(x, rounding{places: max(1, someFigures-1-m), sci: m < -4 || m > 9})
}

// dearest are the functions that were called, those with the most own time first, and
// the own time of all: without the calls that tell of a machine rather than of a function.
func dearest(t *record.Trace) (out []*tracedFunc, time float64) {
	for i := range t.Funcs {
		f := &tracedFunc{TraceFunc: &t.Funcs[i], own: t.Funcs[i].CorrectedSelf}
		if x := t.Long(f.TraceFunc); x.Self > f.own/3 {
			f.own, f.long = f.own-x.Self, x
		}
		time += f.own
		if f.Calls > 0 {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *tracedFunc) int {
		return cmp.Or(cmp.Compare(b.own, a.own), cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Name, b.Name))
	})
	return out, time
}
