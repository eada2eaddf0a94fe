package render

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/record"
)

const mostTraced = 5 // functions of a benchmark that was traced, unless all are asked for

// tracedFunc is a function of what was traced.
type tracedFunc struct {
	*record.TraceFunc
	own  float64          // ns, without probes and long calls
	long record.LongCalls // that own is without
}

// traced shows the functions of what was traced that took the most time, or were called most
// often where nothing takes any. Package calls shows all else about them.
func (p *view) traced(s *result.Result, all bool) section {
	out := section{table: &table.Table{Columns: []table.Column{
		{}, {Title: "calls/op", Gap: 3, Kind: table.Figures}, {Title: "in forks", Kind: table.Right}, {Title: "own time", Kind: table.Right},
	}}, least: 10, subject: "function"}
	var marks tracedMarks
	for i := range s.Calls {
		x := &s.Calls[i]
		title := "calls of " + p.benchmark(x.Name, x.Procs, s.Run != nil && len(s.Run.Config.CPU) > 1)
		if x.Side != "" {
			title += ", " + p.Name(x.Side)
		}
		lines, notes, of := p.tracedLines(x, all)
		out.table.Blocks = append(out.table.Blocks, table.Block{Title: title, Lines: lines})
		out.notes = append(out.notes, notes...)
		marks.dominated, marks.uncertain = marks.dominated || of.dominated, marks.uncertain || of.uncertain
	}
	note := "tare trace, given the record, shows all calls, by whom, and for how long"
	if marks.uncertain {
		note = "? may be off by more than 20 % of it: probes of many short calls took as much, or more. " + note
	}
	if marks.dominated {
		note = "! its time is mostly that of the probe; its calls are exact. " + note
	}
	out.notes = append(out.notes, note)
	return out
}

// tracedMarks are the marks of functions.
type tracedMarks struct {
	dominated bool // the time of some is mostly that of its probe
	uncertain bool // that of others is not known well for what probes took
}

// tracedLines returns the functions of a benchmark: their calls per operation, the range of those
// in forks if they differ, and their share of the time.
func (p *view) tracedLines(x *result.Profiled[record.Trace], all bool) (lines []table.Line, notes []string, marks tracedMarks) {
	wide := func(text string) { lines = append(lines, table.Line{Wide: text, Indent: 2}) }
	sum, err := record.MergeTraces(x.Forks)
	if err != nil {
		wide(p.Text(err.Error()))
		return lines, nil, marks
	}
	sum = sum.Scaled()
	if note := tooLong(sum); note != "" {
		notes = append(notes, note)
	}
	funcs, time := dearest(sum)
	if len(funcs) == 0 {
		wide("no function with probes was called")
	}
	for i, f := range funcs {
		if !all && i >= mostTraced && len(funcs) > mostTraced+1 {
			wide("and " + units.Plural(len(funcs)-i, "function") + " more")
			break
		}
		lines = append(lines, p.tracedLine(sum, f, x.Pkg, time))
		marks.dominated = marks.dominated || f.Probes()
		marks.uncertain = marks.uncertain || f.uncertain(sum)
		if f.long.N > 0 {
			notes = append(notes, p.longCalls(f, x.Pkg))
		}
	}
	return lines, notes, marks
}

// tooLong says why the times of functions, and with them their shares, are not to be relied on; "" if they are.
func tooLong(t *record.Trace) string {
	switch beyond := t.Beyond(); {
	case t.Mode == record.TraceCount:
		return ""
	case t.Waited >= record.WaitedTrace:
		return fmt.Sprintf("forks with probes waited for %s of their time for a processor that others had: shares include the waits", units.Percent(t.Waited))
	case beyond >= record.BeyondTrace:
		return fmt.Sprintf("without probes the functions take %.2g times what forks without probes take: shares are rough, calls are exact", beyond)
	}
	if why := t.NotBeyond(); why != "" && len(t.Funcs) > 0 {
		return "own times not checked: " + why
	}
	return ""
}

func (p *view) tracedLine(sum *record.Trace, f *tracedFunc, pkg string, time float64) table.Line {
	mean, fewest, most := sum.PerOp(f.TraceFunc)
	calls, spread, share := perOp(mean), "", "!"
	if sum.Window == record.AsmRough {
		calls = "≈" + calls
	}
	if lo, hi := perOp(fewest), perOp(most); lo != hi {
		spread = lo + units.Dots + hi
	}
	if !f.Probes() {
		share = units.Percent(f.own / math.Max(time, 1))
	}
	if f.uncertain(sum) {
		share += " ?"
	}
	if f.long.N > 0 {
		share += " *"
	}
	return table.Line{Cells: []table.Cell{{Text: "  " + p.Name(funcName(f.Name, pkg))}, {Text: calls}, {Text: spread}, {Text: share}}}
}

// uncertain reports whether the own time is not known well for what probes took, unless it is mostly that of the probe.
func (f *tracedFunc) uncertain(sum *record.Trace) bool {
	heap := !sum.Scale.Used && slices.Contains(sum.Allocs, f.Name) // without probes, what it allocates may be on a stack
	return !f.Probes() && sum.Mode != record.TraceCount && (heap || sum.Unreliable(f.Self, f.CorrectedSelf))
}

// longCalls returns what an order and a share are without.
func (p *view) longCalls(f *tracedFunc, pkg string) string {
	return fmt.Sprintf("* %s of the %s of %s are %s of %s: its first, of more work, or interrupted; its place and share are without",
		units.Cost(f.long.Self), units.Cost(f.CorrectedSelf), p.Name(funcName(f.Name, pkg)), units.Plural(f.long.N, "call"), units.Count(f.Timed))
}

// perOp writes a number of calls: all digits of a whole one, three of others.
func perOp(x float64) string {
	if x == math.Trunc(x) && x < 1e15 {
		return units.Rounding{}.Text(x)
	}
	m := units.Magnitude(x)
	return units.Rounding{Places: max(1, 2-m), Sci: m < -4 || m > 9}.Text(x)
}

// dearest returns the functions that were called, those with the most own time first, and
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
