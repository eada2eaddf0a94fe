package loadrun

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// Status prints a line for each interval of a phase. All figures are those of the
// interval, so that a stall is seen when it happens.
type Status struct {
	W      io.Writer
	Silent bool // nothing is printed

	mask   func(string) string // hides secrets in errors
	phase  string
	start  int64            // of the phase, ns
	errors map[string]int64 // so far
	told   time.Time        // when the last line of pairs was printed
	headed bool             // the line that explains the figures was printed
}

// print prints a line.
func (s *Status) print(text string) { fmt.Fprintln(s.W, "tare: "+exit.Shown(text)) }

// begin starts a phase. mask hides secrets in errors.
func (s *Status) begin(phase string, mask func(string) string) {
	s.phase, s.start, s.errors, s.mask = phase, 0, map[string]int64{}, mask
}

// show prints the line of an interval. The engine calls it.
func (s *Status) show(i *load.Interval) {
	if s.Silent || i.Final {
		return
	}
	if !s.headed {
		s.headed = true
		fmt.Fprintln(s.W, "tare: of each interval: rates, operations waiting to be sent, latencies as p50 / p99 / p99.9 / max")
	}
	fmt.Fprintln(s.W, exit.Shown(s.line(i)))
}

// pair prints how far a run of sides is, and how they compare so far, every few seconds.
func (s *Status) pair(n, of int, text func() string) {
	const every = 5 * time.Second
	if s.Silent || n < of && time.Since(s.told) < every {
		return
	}
	s.told = time.Now()
	line := fmt.Sprintf("pair %d of %d", n, of)
	if so := text(); so != "" {
		line += "  " + so
	}
	fmt.Fprintln(s.W, exit.Shown(line))
}

// outcome prints whether a step met the objectives.
func (s *Status) outcome(rate float64, step *result.Load) {
	if s.Silent {
		return
	}
	word := "missed"
	switch {
	case step.Met:
		word = "met"
	case step.Undecided:
		word = "undecided: the load generator was late"
	}
	fmt.Fprintf(s.W, "tare: %s %s\n", units.Rate(rate), word)
}

func (s *Status) line(i *load.Interval) string {
	var b strings.Builder
	if s.start == 0 {
		s.start = i.Start
	}
	at := time.Duration(i.Start + i.Length - s.start)
	fmt.Fprintf(&b, "%6s %7s  ", s.phase, at.Round(10*time.Millisecond))
	if i.TargetRate > 0 {
		fmt.Fprintf(&b, "target %s  ", units.Rate(i.TargetRate))
	}
	fmt.Fprintf(&b, "achieved %s", units.Rate(i.Achieved))
	if i.TargetRate > 0 {
		fmt.Fprintf(&b, "  backlog %d", i.Unsent)
	}
	if i.Dropped > 0 {
		fmt.Fprintf(&b, "  dropped %d", i.Dropped)
	}
	for _, tag := range []string{record.TagResponse, record.TagService} {
		if text := spread(i.Latencies, tag); text != "" {
			fmt.Fprintf(&b, "  %s %s", tag, text)
		}
	}
	b.WriteString(s.newErrors(i))
	return b.String()
}

// spread returns the percentiles of one kind of latency, over all operations.
func spread(ls []load.Latency, tag string) string {
	var all hist.Histogram
	for _, l := range ls {
		if l.Tag != tag || l.Hist == nil {
			continue
		}
		if err := all.Merge(l.Hist); err != nil {
			return ""
		}
	}
	if all.Count() == 0 {
		return ""
	}
	p := all.Percentiles()
	var parts []string
	for _, ns := range []int64{p.P50, p.P99, p.P999, p.Max} {
		parts = append(parts, shortTime(ns))
	}
	return strings.Join(parts, " / ")
}

// shortTime writes ns with three digits: 382ms, 4.17ms.
func shortTime(ns int64) string {
	x, unit := float64(ns), "ns"
	for _, next := range []string{"µs", "ms", "s"} {
		if x < 999.5 {
			break
		}
		x, unit = x/1000, next
	}
	places := 2
	switch {
	case unit == "ns" || x >= 99.95:
		places = 0
	case x >= 9.995:
		places = 1
	}
	return strconv.FormatFloat(x, 'f', places, 64) + unit
}

// newErrors returns the errors since the last line by class. The first one of a class comes
// with its text.
func (s *Status) newErrors(i *load.Interval) string {
	var parts []string
	for _, class := range slices.Sorted(maps.Keys(i.Errors)) {
		n := i.Errors[class] - s.errors[class]
		if n <= 0 {
			continue
		}
		text := fmt.Sprintf("%s +%d", class, n)
		if first := i.First[class]; s.errors[class] == 0 && first != "" && class != "not_found" {
			text += " (" + termtext.OneLine(s.mask(first)) + ")"
		}
		parts = append(parts, text)
		s.errors[class] = i.Errors[class]
	}
	if len(parts) == 0 {
		return ""
	}
	return "  " + strings.Join(parts, ", ")
}
