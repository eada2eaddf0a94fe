package render

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// writeTimes prints commands as a table with a row for each and what they use in columns, then
// which of them is faster. The other formats show commands as they show benchmarks.
func writeTimes(b *bytes.Buffer, s *result.Result, o Options) {
	frame := *s
	frame.Results, frame.Comparisons, frame.Geomeans = nil, nil, nil
	t := newText(&frame, o)
	for i := range s.Results {
		t.timeMarks(&s.Results[i])
	}
	t.head(&frame)
	t.times(s)
	t.Foot(s, &t.notes, timeOverhead(s, o.Verbose))
	t.WriteTo(b)
}

func (t *textReport) times(s *result.Result) {
	t.timeTable(s, timeColumns)
	if len(s.Results) > 0 && hasFigure(s, result.UnitMinor) {
		t.timeTable(s, countColumns)
	}
	for _, columns := range [][]timeColumn{runtimeColumns, threadColumns} {
		if hasFigure(s, columns[0].unit) {
			t.timeTable(s, columns)
		}
	}
	t.timeLegend(s)
	if t.Verbose {
		for i := range s.Results {
			t.timeDetails(&s.Results[i], confidence(s))
		}
	}
	if x := t.complexity(s, true); len(x.table.Blocks) > 0 {
		t.section(x)
	}
	verdicts := s.TimeVerdicts()
	for k, v := range verdicts {
		const indent = 4
		if k > 0 && len(v.Reasons) > 0 && slices.Equal(v.Reasons, verdicts[k-1].Reasons) {
			v.Reasons = []string{"as above"}
		}
		for i, line := range termtext.Wrap(t.Text(t.timeVerdict(v)), t.Columns-indent) {
			t.Print(termtext.Normal, termtext.Pad(indent*min(i, 1))+line)
		}
	}
	if len(verdicts) > 0 {
		t.Blank()
	}
}

func hasFigure(s *result.Result, unit string) bool {
	return slices.ContainsFunc(s.Results, func(r result.Benchmark) bool { _, ok := r.Figure(unit); return ok })
}

// timeLegend writes what the figures are: medians and their intervals.
func (t *textReport) timeLegend(s *result.Result) {
	need := stat.MinSamples(confidence(s))
	if slices.ContainsFunc(s.Results, func(r result.Benchmark) bool { return r.Forks < need }) {
		t.Items(termtext.Normal, fmt.Sprintf("medians of this run; intervals of %s need %s", t.level, units.Plural(need, "run")))
	} else {
		t.Items(termtext.Normal, "median ± larger half-width of the "+t.level+" CI")
		t.Items(termtext.Normal, "intervals: of this run; another one may differ by more")
	}
	if slices.ContainsFunc(s.Results, func(r result.Benchmark) bool { m, ok := r.Figure(result.UnitCPU); return ok && m.Median < manyTicks }) {
		t.Items(termtext.Normal, "user and sys come from the kernel's tick: in runs this short only their sum is reliable")
	}
	if hasFigure(s, result.UnitPeak) || hasFigure(s, result.UnitPeakBelow) {
		t.Items(termtext.Normal, "peak RSS is that of a command's largest process, not the sum of several")
	}
	if hasFigure(s, result.UnitAlloc) {
		t.Items(termtext.Normal, "allocated, objects and GC cycles are exact, from the start of a program to its end; GC CPU is the runtime's estimate for those cycles")
	}
	if hasFigure(s, result.UnitThreads) {
		text := "threads are those that existed at the end; their CPU time is exact"
		if t.Verbose {
			text += ", divided into user and sys, where a thread has 10 ms or more, as the kernel counts them in such steps"
		}
		t.Items(termtext.Normal, text)
	}
	t.Blank()
}

// manyTicks is CPU time, in ns, in which even the slowest tick has sampled a few times.
const manyTicks = 50e6

// timeDetails prints every quantity of a command with its interval and range: in narrow text
// the range is left out.
func (t *textReport) timeDetails(r *result.Benchmark, level float64) {
	if r.Forks == 0 {
		return
	}
	const longTitle = 20
	title := t.timeName(r) + ", " + units.Plural(r.Forks, "run")
	if termtext.Width(title) > longTitle {
		t.Print(termtext.Dim, t.Middle(title, t.Columns))
		title = ""
	}
	t.Table(t.timeDetailTable(r, title, level).Fit(t.Charset, t.Columns, 0))
	t.Blank()
}

// timeDetailTable returns a table with a row for each quantity: its median, interval and range.
func (t *textReport) timeDetailTable(r *result.Benchmark, title string, level float64) *table.Table {
	tb := &table.Table{Columns: []table.Column{{Title: title}}}
	for i, title := range []string{"median", units.Level(level) + " from", "to", "min", "max"} {
		c := table.Column{Title: title, Gap: 3, Kind: table.Right, Join: " "}
		if i > 2 {
			c.Drop = 6 - i
		}
		tb.Columns = append(tb.Columns, c)
	}
	for _, c := range detailColumns() {
		m, ok := r.Figure(c.unit)
		if !ok {
			continue
		}
		l := table.Line{Cells: []table.Cell{{Text: "  " + c.title}}}
		lo, hi := valueRange(m.Values)
		for _, v := range []result.Number{m.Median, m.Lo, m.Hi, lo, hi} {
			l.Cells = append(l.Cells, timeValue(c.unit, v))
		}
		tb.Add(l)
	}
	return tb
}

func valueRange(values []result.Number) (lo, hi result.Number) {
	lo, hi = result.Number(math.Inf(1)), result.Number(math.Inf(-1))
	for _, v := range values {
		if v == v {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// timeVerdict returns a verdict as a sentence. If it names the faster side, the ratio is above 1: "2 × faster",
// not "0.5 × the time".
func (t *textReport) timeVerdict(v result.TimeVerdict) string {
	side, base, x := t.Name(v.Side), t.Name(v.Base), factorOf(v.Time)
	if v.Params != "" {
		side += " " + t.Name(v.Params)
	}
	var text string
	switch v.Verdict {
	case stat.Faster, stat.Slower:
		text = fmt.Sprintf("%s is %s than %s%s", side, x.text+" "+string(v.Verdict), base, x.bounds)
	case stat.Equivalent:
		text = fmt.Sprintf("%s takes as long as %s: %s%s", side, base, x.text, x.bounds)
	default:
		text = fmt.Sprintf("inconclusive: %s takes %s the time of %s%s", side, x.text, base, x.bounds)
	}
	if v.CPU != nil {
		cpu := factorOf(*v.CPU)
		text += fmt.Sprintf(", for %s the CPU%s", cpu.text, cpu.bounds)
	}
	if v.MoreRuns > 0 {
		text += fmt.Sprintf("; about %s would decide", units.Count(v.MoreRuns)+" more "+units.Noun(v.MoreRuns, "run"))
	}
	if len(v.Reasons) > 0 {
		text += "; not trusted: " + strings.Join(v.Reasons, ", ")
	}
	return text
}

// factor is a ratio with its interval in words: "7.93 ×" and " (7.89 … 7.96)".
type factor struct{ text, bounds string }

// factorOf returns a ratio in three digits, or four near 1, where three would not show a change. It leaves out an
// infinite interval.
func factorOf(iv result.Interval) factor {
	x, lo, hi := float64(iv.Median), float64(iv.Lo), float64(iv.Hi)
	places := 2
	switch {
	case x >= 99.95:
		places = 0
	case x >= 9.995:
		places = 1
	case x >= 0.9 && x < 1.1:
		places = 3
	}
	write := func(x float64) string { return units.Fixed(x, places) }
	f := factor{text: write(x) + " ×"}
	if !math.IsNaN(lo) && !math.IsInf(hi, 0) && lo > 0 {
		f.bounds = fmt.Sprintf(" (%s%s%s)", write(lo), units.Dots, write(hi))
	}
	return f
}

// timeOverhead returns the parts of the commands' figures that tare or the shell causes.
func timeOverhead(s *result.Result, verbose bool) []string {
	tare := s.Tare
	var items []string
	if tare.Probe > 0 {
		through := ""
		if throughShell(s.Run) {
			through = " through sh"
		}
		x := timeValue(result.UnitReal, result.Number(tare.Probe))
		items = append(items, fmt.Sprintf("starting a process%s costs %s %s (included)", through, x.Text, x.Tail))
	}
	if cost := highest(s, result.UnitTotals); cost > 0 {
		x := timeValue(result.UnitTotals, cost)
		items = append(items, fmt.Sprintf("counting at a program's end takes %s %s of real (included)", x.Text, x.Tail))
	}
	tare.Clock, tare.Loop, tare.Probe = 0, 0, 0 // costs of loops, not of processes
	return append(items, textpage.Overhead(tare, verbose)...)
}

// highest returns the highest median of a unit, 0 without one.
func highest(s *result.Result, unit string) (most result.Number) {
	for i := range s.Results {
		if m, ok := s.Results[i].Figure(unit); ok {
			most = max(most, m.Median)
		}
	}
	return most
}

// throughShell reports whether the commands were run by sh.
func throughShell(run *record.Run) bool {
	if run == nil {
		return false
	}
	for _, w := range run.Command {
		switch name, _, _ := strings.Cut(w, "="); name {
		case "--":
			return false
		case "--shell", "--input":
			return true
		}
	}
	return false
}
