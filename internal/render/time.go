package render

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// writeTimes prints commands as a table with a row for each and what they use in columns, then
// which of them is faster. The other formats show commands as they show benchmarks.
func writeTimes(b *bytes.Buffer, s *result.Result, o Options) {
	frame := *s
	frame.Results, frame.Comparisons, frame.Geomeans = nil, nil, nil
	t := newText(b, &frame, o)
	t.head(&frame)
	t.times(s, o.Verbose)
	t.footLines(s, t.timeOverhead(s, o.Verbose), t.timeWarnings(s))
}

func (t *textReport) times(s *result.Result, verbose bool) {
	t.timeTable(s, timeColumns)
	if len(s.Results) > 0 && hasFigure(s, result.UnitMinor) {
		t.timeTable(s, countColumns)
	}
	t.timeLegend(s)
	if verbose {
		for i := range s.Results {
			t.timeDetails(&s.Results[i], confidence(s))
		}
	}
	for _, v := range s.TimeVerdicts() {
		const indent = 4
		for i, line := range termtext.Wrap(t.Text(t.timeVerdict(v)), t.n-indent) {
			t.print(termtext.Normal, termtext.Pad(indent*min(i, 1))+line)
		}
		t.print(termtext.Normal, "")
	}
}

func hasFigure(s *result.Result, unit string) bool {
	return slices.ContainsFunc(s.Results, func(r result.Benchmark) bool { _, ok := r.Figure(unit); return ok })
}

// timeLegend says what the figures are.
func (t *textReport) timeLegend(s *result.Result) {
	need := stat.MinSamples(confidence(s))
	if slices.ContainsFunc(s.Results, func(r result.Benchmark) bool { return r.Forks < need }) {
		t.print(termtext.Normal, fmt.Sprintf("medians; intervals of %s need %s", t.level, plural(need, "run")))
	} else {
		t.print(termtext.Normal, "median "+t.pm+" larger half-width of the "+t.level+" CI")
	}
	if slices.ContainsFunc(s.Results, func(r result.Benchmark) bool { m, ok := r.Figure(result.UnitCPU); return ok && m.Median < manyTicks }) {
		t.print(termtext.Normal, termtext.Wrap("user and sys come from the kernel's tick: in runs this short only their sum is reliable", t.n)...)
	}
	t.print(termtext.Normal, "")
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
	title := t.Name(r.Side) + ", " + plural(r.Forks, "run")
	if termtext.Width(title) > longTitle {
		t.print(termtext.Dim, t.Middle(title, t.n))
		title = ""
	}
	for _, shape := range []struct{ gap, columns int }{{3, 5}, {2, 5}, {2, 3}} {
		tb := t.timeDetailTable(r, title, level, shape.gap, shape.columns)
		sizes := tb.layout()
		if tb.total(sizes) <= t.n || shape.columns == 3 {
			t.print(termtext.Normal, tb.render(t.glyphs, sizes, t.n, t.color)...)
			break
		}
	}
	t.print(termtext.Normal, "")
}

// timeDetailTable has a row for each quantity and the first of the columns median, interval
// and range.
func (t *textReport) timeDetailTable(r *result.Benchmark, title string, level float64, gap, columns int) *table {
	tb := &table{columns: []column{{title: title}}, blocks: make([]tableBlock, 1)}
	for _, title := range []string{"median", fmt.Sprintf("%g %% from", 100*level), "to", "min", "max"}[:columns] {
		tb.columns = append(tb.columns, column{title: title, gap: gap, kind: ends, join: " "})
	}
	for _, c := range slices.Concat(timeColumns, countColumns, []timeColumn{{"user + sys", result.UnitCPU}}) {
		m, ok := r.Figure(c.unit)
		if !ok {
			continue
		}
		l := tableLine{cells: []cell{{text: "  " + c.title}}}
		lo, hi := valueRange(m.Values)
		for _, v := range []result.Number{m.Median, m.Lo, m.Hi, lo, hi}[:columns] {
			l.cells = append(l.cells, t.timeValue(c.unit, v))
		}
		tb.blocks[0].lines = append(tb.blocks[0].lines, l)
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

// timeVerdict is a verdict as a sentence. Ratios are factors above 1 where the verdict says
// which side is the faster, because that is how people say them.
func (t *textReport) timeVerdict(v result.TimeVerdict) string {
	side, base, x := t.Name(v.Side), t.Name(v.Base), t.factor(v.Time)
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
		cpu := t.factor(*v.CPU)
		text += fmt.Sprintf(", for %s the CPU%s", cpu.text, cpu.bounds)
	}
	if v.MoreRuns > 0 {
		text += fmt.Sprintf("; about %s would decide", strings.Replace(plural(v.MoreRuns, "run"), " ", " more ", 1))
	}
	if len(v.Doubts) > 0 {
		text += "; not trusted: " + strings.Join(v.Doubts, ", ")
	}
	return text
}

// factor is a ratio with its interval in words: "7.93 ×" and " (7.89 … 7.96)".
type factor struct{ text, bounds string }

// factor writes three digits, and near 1, where they would not show a change, a fourth. An
// interval without ends is left out.
func (g glyphs) factor(iv result.Interval) factor {
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
	write := func(x float64) string { return strconv.FormatFloat(x, 'f', places, 64) }
	f := factor{text: write(x) + " " + g.times}
	if !math.IsNaN(lo) && !math.IsInf(hi, 0) && lo > 0 {
		f.bounds = fmt.Sprintf(" (%s%s%s)", write(lo), g.dots, write(hi))
	}
	return f
}

// timeOverhead is what in the figures of commands is not theirs.
func (t *textReport) timeOverhead(s *result.Result, verbose bool) []string {
	tare := s.Tare
	var items []string
	if tare.Probe > 0 {
		through := ""
		if throughShell(s.Run) {
			through = " through sh"
		}
		x := t.timeValue(result.UnitReal, result.Number(tare.Probe))
		items = append(items, fmt.Sprintf("starting a process%s costs %s %s (included)", through, x.text, x.tail))
	}
	tare.Clock, tare.Loop, tare.Probe = 0, 0, 0 // costs of loops, not of processes
	return append(items, t.tare(tare, verbose)...)
}

// throughShell reports whether sh stands between tare and the commands.
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

// timeWarnings are those about the run, then those about each command.
func (t *textReport) timeWarnings(s *result.Result) []result.Warning {
	out := t.warnings(s)
	for _, r := range s.Results {
		for _, w := range r.Warnings {
			w.Text = cmp.Or(r.Side, r.Name) + ": " + w.Text
			out = append(out, w)
		}
	}
	return out
}
