package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarebench/tare/internal/screen"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/summary"
)

const mostTraced = 5 // functions of a benchmark that was traced, unless all are asked for

// traced prints the functions of what was traced that took the most time, or were called
// most often where nothing takes any. All else about them is the matter of package report/calls.
func (t *textReport) traced(s *summary.Summary, all bool) {
	if len(s.Traced) == 0 {
		return
	}
	tb := &table{columns: []column{{}, {title: "calls/op", gap: 3, kind: figures}, {}, {title: "own time", gap: 2, kind: ends}}}
	dominated, varied := false, false
	for i := range s.Traced {
		b, probes := t.tracedBlock(s, &s.Traced[i], all)
		tb.blocks = append(tb.blocks, b)
		dominated = dominated || probes
		for _, l := range b.lines {
			varied = varied || len(l.cells) > 2 && l.cells[2].text != ""
		}
	}
	if varied {
		tb.columns[2] = column{title: "in forks", gap: 2, kind: ends}
	}
	sizes := tb.layout()
	tb.shrink(t.glyphs, max(10, t.n-(tb.total(sizes)-sizes[0].whole)), sizes)
	t.print(screen.Normal, tb.render(t.glyphs, sizes, t.n, t.color)...)
	say := "tare trace, given the record, shows all calls, by whom, and for how long"
	if dominated {
		say = "! its time is mostly that of the probe; its calls are exact. " + say
	}
	t.print(screen.Dim, screen.Wrap(t.Text(say), t.n)...)
	t.print(screen.Normal, "")
}

func (t *textReport) tracedBlock(s *summary.Summary, x *summary.Traced, all bool) (b tableBlock, dominated bool) {
	name := t.benchmark(x.Name, x.Procs, s.Run != nil && len(s.Run.Config.CPU) > 1)
	if x.Side != "" {
		name += ", " + t.Name(x.Side)
	}
	b.title = t.Middle("calls of "+name, t.n)
	sum, err := record.MergeTraces(x.Traces)
	if err != nil {
		b.lines = []tableLine{{wide: t.Middle(t.Text(err.Error()), t.n-2), indent: 2}}
		return b, false
	}
	funcs, time := dearest(sum)
	for i, f := range funcs {
		if !all && i >= mostTraced && len(funcs) > mostTraced+1 {
			b.lines = append(b.lines, tableLine{wide: "and " + plural(len(funcs)-i, "function") + " more", indent: 2})
			break
		}
		b.lines = append(b.lines, t.tracedLine(sum, f, x.Pkg, time))
		dominated = dominated || f.Dominated
	}
	if len(funcs) == 0 {
		b.lines = []tableLine{{wide: "no function with probes was called", indent: 2}}
	}
	return b, dominated
}

func (t *textReport) tracedLine(sum *record.Trace, f *record.TraceFunc, pkg string, time float64) tableLine {
	mean, fewest, most := sum.PerOp(f)
	perOp, spread, share := t.perOp(mean), "", "!"
	if sum.Window == record.AsmRough {
		perOp = cmp.Or(map[bool]string{true: "≈"}[t.UTF8], "~") + perOp
	}
	if lo, hi := t.perOp(fewest), t.perOp(most); lo != hi {
		spread = lo + t.Text(" … ") + hi
	}
	if !f.Dominated {
		share = t.percent(f.CorrectedSelf / math.Max(time, 1))
	}
	return tableLine{cells: []cell{{text: "  " + funcName(f.Name, pkg)}, {text: perOp}, {text: spread}, {text: share}}}
}

// perOp writes a number of calls: all digits of a whole one, three of others.
func (t *textReport) perOp(x float64) string {
	if x == math.Trunc(x) && x < 1e15 {
		return t.number(x, rounding{})
	}
	m := magnitude(x)
	return t.number(x, rounding{places: max(1, someFigures-1-m), sci: m < -4 || m > 9})
}

// dearest are the functions that were called, those with the most own time first, and
// the own time of all.
func dearest(t *record.Trace) (out []*record.TraceFunc, time float64) {
	for i := range t.Funcs {
		f := &t.Funcs[i]
		time += f.CorrectedSelf
		if f.Calls > 0 {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b *record.TraceFunc) int {
		return cmp.Or(cmp.Compare(b.CorrectedSelf, a.CorrectedSelf), cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Name, b.Name))
	})
	return out, time
}
