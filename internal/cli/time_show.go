package cli

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// writeTimes prints commands as a table with a row for each, what they use in
// columns, and which is faster. It makes the text from the summary alone; other
// formats have no look of their own for it.
func writeTimes(w io.Writer, _ render.Format, s *result.Result, o render.Options) error {
	head, foot, err := frame(s, o)
	if err != nil {
		return err
	}
	t := &timesText{s: s, o: o}
	t.b.WriteString(head)
	t.tables()
	if o.Verbose {
		t.details()
	}
	t.verdicts()
	t.tare(foot)
	text := t.b.String()
	if !o.UTF8 {
		text = strings.NewReplacer("×", "x", "±", "+/-", "…", "..", "·", "|", "µ", "u", "→", "->", "–", "-").Replace(text)
	}
	_, err = io.WriteString(w, text)
	return err
}

// timesText is a text about commands being written.
type timesText struct {
	s *result.Result
	o render.Options
	b bytes.Buffer
}

// noResults is what a report says in the place of a table.
const noResults = "no results\n\n"

// frame is what package report writes around the table of any run: where it was
// measured, the doubts, and how to repeat it.
func frame(s *result.Result, o render.Options) (head, foot string, err error) {
	empty := *s
	empty.Results, empty.Comparisons, empty.Geomeans = nil, nil, nil
	empty.Tare.Clock, empty.Tare.Loop, empty.Tare.Probe = 0, 0, 0 // what weighs on loops does not weigh on processes
	empty.Warnings = slices.Clone(s.Warnings)
	for _, r := range s.Results {
		for _, w := range r.Warnings {
			w.Text = r.Side + ": " + w.Text
			empty.Warnings = append(empty.Warnings, w)
		}
	}
	var b strings.Builder
	if err := render.Write(&b, render.Text, &empty, o); err != nil {
		return "", "", err
	}
	head, foot, found := strings.Cut(b.String(), noResults)
	if !found {
		return "", head, nil
	}
	return head, foot, nil
}

// timeColumn is one quantity.
type timeColumn struct{ title, unit string }

// The columns of the two tables.
var (
	timeColumns  = [...]timeColumn{{"real", unitReal}, {"user", unitUser}, {"sys", unitSys}, {"peak RSS", unitPeak}, {"cores busy", unitCores}}
	countColumns = [...]timeColumn{{"page faults", unitMinor}, {"with I/O", unitMajor}, {"waits", unitVoluntary}, {"preempted", unitInvoluntary}}
)

func (t *timesText) tables() {
	t.table(timeColumns[:])
	if len(t.s.Results) > 0 && t.has(unitMinor) {
		t.table(countColumns[:])
	}
	if need := stat.MinSamples(t.s.Confidence); t.few(need) {
		fmt.Fprintf(&t.b, "medians; intervals of %g %% need %d runs\n", 100*t.s.Confidence, need)
	} else {
		fmt.Fprintf(&t.b, "medians, ± the farther end of the %g %% interval\n", 100*t.s.Confidence)
	}
	if t.short() {
		gap := " "
		if t.width() < 90 {
			gap = "\n"
		}
		t.b.WriteString("user and sys are sampled at the kernel's tick:" + gap + "of so short runs only their sum is good\n")
	}
	t.b.WriteByte('\n')
}

// manyTicks is CPU time, in ns, in which even the slowest tick has sampled a few times.
const manyTicks = 50e6

// short tells that the division into user and system time means little.
func (t *timesText) short() bool {
	return slices.ContainsFunc(t.s.Results, func(r result.Benchmark) bool {
		m, ok := figureOf(r, unitCPU)
		return ok && m.Median < manyTicks
	})
}

func (t *timesText) has(unit string) bool {
	return slices.ContainsFunc(t.s.Results, func(r result.Benchmark) bool { _, ok := figureOf(r, unit); return ok })
}

func (t *timesText) few(need int) bool {
	return slices.ContainsFunc(t.s.Results, func(r result.Benchmark) bool { return r.Forks < need })
}

// figureOf is a unit of a result, its values included.
func figureOf(r result.Benchmark, unit string) (result.Metric, bool) {
	if r.Forks > 0 && r.Unit == unit {
		return result.Metric{Unit: unit, Interval: r.Interval, Values: r.Values}, true
	}
	for _, m := range r.Metrics {
		if m.Unit == unit && !math.IsNaN(float64(m.Median)) {
			return m, true
		}
	}
	return result.Metric{}, false
}

// table prints a row for each command.
func (t *timesText) table(columns []timeColumn) {
	g := grid{titles: []string{""}}
	for _, c := range columns {
		g.titles = append(g.titles, c.title)
	}
	for _, r := range t.s.Results {
		row := []timeCell{{unit: r.Side}}
		for _, c := range columns {
			row = append(row, cellOf(r, c.unit))
		}
		switch {
		case r.Failed == "":
			g.rows = append(g.rows, row)
		case columns[0].unit == unitReal: // to say it once is enough
			g.rows = append(g.rows, []timeCell{{unit: r.Side + " failed: " + r.Failed}})
		}
	}
	g.write(&t.b, t.width())
	t.b.WriteByte('\n')
}

func (t *timesText) width() int {
	if t.o.Width > 0 {
		return t.o.Width
	}
	return render.DefaultWidth
}

// cellOf writes a figure of a command.
func cellOf(r result.Benchmark, unit string) timeCell {
	m, ok := figureOf(r, unit)
	if !ok {
		return timeCell{unit: "n/a"}
	}
	c := amount(unit, m.Median)
	if _, half, ok := strings.Cut(estimate(unit, m.Interval), " ± "); ok && m.Lo < m.Hi {
		c.half = "± " + half
	}
	return c
}

// amount writes one value, without an interval.
func amount(unit string, v result.Number) timeCell {
	text := alone(unit, v)
	switch i := strings.LastIndexByte(text, ' '); {
	case v == 0:
		return timeCell{number: "0"}
	case shownUnit(unit) != "":
		return timeCell{number: text[:i], unit: text[i+1:]}
	case unit != unitCores && v == result.Number(math.Trunc(float64(v))): // a count
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
		if !strings.Contains(alone(unit, v), ".") {
			text = alone(unit, v)
		}
	}
	return timeCell{number: text}
}

// alone is a figure without an interval.
func alone(unit string, v result.Number) string {
	infinite := result.Number(math.Inf(1))
	return estimate(unit, result.Interval{Median: v, Lo: -infinite, Hi: infinite})
}

// estimate has package report scale and round a figure.
func estimate(unit string, iv result.Interval) string {
	text := render.Estimate(result.Benchmark{Unit: shownUnit(unit), Interval: iv})
	return strings.TrimSpace(strings.Replace(text, "  ", " ", 1)) // where there is no unit
}

// shownUnit is a unit without the name of what it measures, which stands above it.
func shownUnit(unit string) string {
	switch {
	case strings.HasSuffix(unit, "-ns"):
		return "ns"
	case strings.HasSuffix(unit, "-B"):
		return "B"
	}
	return ""
}

// details prints every quantity of each command with its interval and range.
func (t *timesText) details() {
	for _, r := range t.s.Results {
		if r.Forks == 0 {
			continue
		}
		g := grid{titles: []string{fmt.Sprintf("%s, %d runs", r.Side, r.Forks), "median", fmt.Sprintf("%g %% from", 100*t.s.Confidence), "to", "min", "max"}}
		for _, c := range slices.Concat(timeColumns[:], countColumns[:], []timeColumn{{"user + sys", unitCPU}}) {
			m, ok := figureOf(r, c.unit)
			if !ok {
				continue
			}
			row := []timeCell{{unit: "  " + c.title}, amount(c.unit, m.Median)}
			if math.IsInf(float64(m.Lo), 0) || math.IsInf(float64(m.Hi), 0) {
				row = append(row, timeCell{}, timeCell{})
			} else {
				row = append(row, amount(c.unit, m.Lo), amount(c.unit, m.Hi))
			}
			lo, hi := rangeOf(m.Values)
			g.rows = append(g.rows, append(row, amount(c.unit, lo), amount(c.unit, hi)))
		}
		g.write(&t.b, math.MaxInt)
		t.b.WriteByte('\n')
	}
}

func rangeOf(values []result.Number) (lo, hi result.Number) {
	lo, hi = result.Number(math.Inf(1)), result.Number(math.Inf(-1))
	for _, v := range values {
		if v == v {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// tare says what of all figures is not the commands'.
func (t *timesText) tare(foot string) {
	if start := t.s.Tare.Probe; start > 0 {
		fmt.Fprintf(&t.b, "tare: starting a process%s costs %s (included)", t.through(), alone(unitReal, result.Number(start)))
		rest, more := strings.CutPrefix(foot, "tare: ")
		if more {
			t.b.WriteString(" · ")
		} else {
			t.b.WriteByte('\n')
		}
		foot = rest
	}
	t.b.WriteString(foot)
}

// through tells that sh stands between tare and the commands.
func (t *timesText) through() string {
	if t.s.Run == nil {
		return ""
	}
	for _, w := range t.s.Run.Command {
		name, _, _ := strings.Cut(w, "=")
		switch name {
		case "--":
			return ""
		case "--shell", "--input":
			return " through sh"
		}
	}
	return ""
}
