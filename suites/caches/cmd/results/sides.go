package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
	"github.com/tarebench/tare/suites/published"
)

// sided reports whether the record compares sides, such as collectors.
func (r *result) sided() bool { return len(r.run.Sides) > 1 }

// sides returns the rows of each cache that all sides have, in the order of the sides.
// The first one is the base.
func (r *result) sides() [][]*row {
	var out [][]*row
	for _, base := range r.rows {
		if base.side != r.run.Sides[0].Name {
			continue
		}
		var of []*row
		for _, side := range r.run.Sides {
			for _, x := range r.rows {
				if x.kind.Name == base.kind.Name && x.side == side.Name {
					of = append(of, x)
				}
			}
		}
		if len(of) == len(r.run.Sides) {
			out = append(out, of)
		}
	}
	return out
}

// sidesMarkdown writes, metric by metric, what each cache is on each side, and the ratios.
func (r *result) sidesMarkdown(w io.Writer) {
	base, names := r.run.Sides[0], sideNames(r.run)
	fmt.Fprintf(w, "# Results: %s\n\n", strings.Join(names, ", "))
	fmt.Fprintf(w, "%s entries asked for, %s keys, %d workers. Written by `go run ./cmd/results` from [%s.jsonl](%[4]s.jsonl).\n\n",
		published.Count(float64(r.config.Entries)), published.Count(float64(r.config.Keys)), r.config.Workers, r.name)
	for _, s := range r.run.Sides {
		fmt.Fprintf(w, "* %s%s\n", s.Name, environment(s.Setenv))
	}
	r.where(w)
	fmt.Fprintf(w, "Ratios are relative to %s. Intervals of %s, not corrected for multiple comparisons. Bold: the interval excludes 1.\n\n",
		base.Name, published.Percent(confidence))
	for _, m := range r.metrics() {
		fmt.Fprintf(w, "## %s\n\n| cache | %s |", m.title, base.Name)
		for _, name := range names[1:] {
			fmt.Fprintf(w, " %s | ratio |", name)
		}
		fmt.Fprintf(w, "\n|---|---|%s\n", strings.Repeat("---|---|", len(names)-1))
		one, unit := scale(m)
		for _, of := range r.sides() {
			fmt.Fprintf(w, "| %s | %s |", mark(of[0]), digits.Full(of[0].figure(m.unit), one))
			for _, x := range of[1:] {
				fmt.Fprintf(w, " %s | %s |", digits.Full(x.figure(m.unit), one), ratio(of[0], x, m.unit))
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "\n%s.\n\n![%s](%s-%s.svg)\n\n", unit, m.title, r.name, m.name)
	}
	r.writeWarnings(w)
}

func sideNames(run *record.Run) []string {
	var out []string
	for _, s := range run.Sides {
		out = append(out, s.Name)
	}
	return out
}

func environment(setenv []string) string {
	if len(setenv) == 0 {
		return ""
	}
	return " (`" + strings.Join(setenv, " ") + "`)"
}

// scale is the unit of a metric's table, and its name.
func scale(m metric) (one float64, name string) {
	switch m.unit {
	case "op/s":
		return 1e6, "Million gets per second"
	case perEntryUnit, "B/op":
		return 1, "Bytes"
	case "gc-cycles":
		return 1, "Collections"
	case "gc-pause-ns":
		return 1e3, "µs"
	}
	return 1e6, "MB of 10⁶ bytes"
}

// ratio compares the forks of two sides.
func ratio(old, new *row, unit string) string {
	c := stat.Compare(old.values[unit], new.values[unit], stat.Options{Confidence: confidence, Resamples: -1})
	switch {
	case math.IsNaN(c.Ratio) || !(c.Old > 0): // zero in the base: no ratio
		return "–"
	case math.IsInf(c.Hi, 0):
		return fmt.Sprintf("%.3f (± ?)", c.Ratio)
	}
	s := fmt.Sprintf("%.3f (%.3f … %.3f)", c.Ratio, c.Lo, c.Hi)
	if c.Lo > 1 || c.Hi < 1 {
		return "**" + s + "**"
	}
	return s
}

// sidesChart draws the sides of each cache beside each other, the base grey.
func (r *result) sidesChart(m metric) chart.Bars {
	c := r.chartOf(m)
	c.Notes = []string{fmt.Sprintf("Grey: %s.", r.run.Sides[0].Name)}
	for _, of := range r.sides() {
		if of[0].kind.Floor {
			continue
		}
		for i, x := range of {
			f := x.figure(m.unit)
			c.Bars = append(c.Bars, chart.Bar{Label: x.kind.Name + ", " + x.side, Value: f.Median, Lo: f.Lo, Hi: f.Hi, Muted: i == 0})
		}
	}
	return c
}
