package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/render/chart"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

const sweepLong = `tare load sweep runs a step at each of several rates, each with a warm-up of its own,
and prints how latency grows with throughput. -o FILE.svg draws the curve. Every step
is in the record.`

const sweepExample = `  tare load sweep --workload c --rates 1000,2000,4000,8000
  tare load sweep --workload a --db redis --rates 1000..20000/8 -o sweep.svg -o sweep.jsonl`

func newLoadSweep(s streams, bindings []kv.Binding) *cobra.Command {
	f := &loadFlags{}
	rates := ""
	cmd := &cobra.Command{
		Use:     "sweep [flags] --rates LIST",
		Short:   "Measure latency over a range of rates",
		Long:    sweepLong,
		Example: sweepExample,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSweep(cmd, s, f, rates, bindings)
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	fl.StringVar(&rates, "rates", "", "`list` of rates: 1000,2000,5000; or A..B/N, so many from A to B")
	f.registerWhat(fl, bindings)
	fl.StringVar(&f.arrivals, "arrivals", "", "constant or poisson (default constant)")
	fl.DurationVar(&f.duration, "duration", 10*time.Second, "of each step")
	f.registerHow(fl, 2*time.Second)
	f.registerShow(fl)
	return cmd
}

func runSweep(cmd *cobra.Command, st streams, f *loadFlags, list string, bindings []kv.Binding) error {
	rates, err := parseRates(list)
	if err != nil {
		return usageError(fmt.Errorf("--rates: %w", err), "tare load sweep --rates 1000,2000,5000")
	}
	f.rate = fmt.Sprint(rates[0])
	s, err := newLoadSession(cmd.Flags(), st, f, bindings)
	if err != nil {
		return err
	}
	s.stepped, s.steps = result.SteppedSweep, "sweep "+list
	if f.dryRun {
		return s.dry()
	}
	return s.measure(func(ctx context.Context, t *loaded) error {
		if err := s.insert(ctx, t); err != nil {
			return err
		}
		for n, rate := range rates {
			if _, err := s.tryRate(ctx, t, rate, uint64(n)); err != nil {
				return err
			}
		}
		return nil
	})
}

// parseRates reads 1000,2000,5000 or 1000..5000/5.
func parseRates(list string) ([]float64, error) {
	const most = 1000
	if from, rest, ok := strings.Cut(list, ".."); ok {
		to, count, ok := cutLast(rest, "/")
		a, errA := parseRate(from)
		b, errB := parseRate(to)
		n, errN := strconv.Atoi(count)
		if err := errors.Join(errA, errB, errN); err != nil || !ok || n < 2 || n > most || a == b {
			return nil, fmt.Errorf("%q is not of the form A..B/N, such as 1000..5000/5", list)
		}
		var out []float64
		for i := range n {
			out = append(out, threeDigits(a+(b-a)*float64(i)/float64(n-1)))
		}
		return slices.Compact(out), nil
	}
	if list == "" {
		return nil, errors.New("a list of rates is needed")
	}
	var out []float64
	for _, part := range strings.Split(list, ",") {
		r, err := parseRate(part)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// drawSweep draws latency over the rate that was achieved: of each operation the
// median, p99 and the maximum.
func drawSweep(w io.Writer, sum *result.Result) error {
	c := chart.Lines{
		Title: "Latency over throughput",
		X:     chart.Axis{Name: "achieved", Unit: "op/s"},
		Y:     chart.Axis{Name: "response time", Unit: "s", Log: true},
	}
	if lc := sum.Run.Config.Load; lc != nil {
		c.Subtitle = strings.TrimSuffix(lc.Name+", workload "+lc.Workload, ", workload ")
	}
	steps := slices.Clone(sum.Steps)
	slices.SortStableFunc(steps, func(a, b result.Load) int { return cmp.Compare(a.Asked, b.Asked) })
	hue := 0
	for _, name := range responseNames(steps) {
		lines := []chart.Line{{Label: name + " p50"}, {Label: name + " p99"}, {Label: name + " max"}}
		for i, stroke := range []chart.Stroke{chart.Solid, chart.Dashed, chart.Dotted} {
			lines[i].Hue, lines[i].Stroke, lines[i].Marks = hue, stroke, true
		}
		for i := range steps {
			for _, l := range steps[i].Latencies {
				if l.Name != name || l.Kind != record.TagResponse {
					continue
				}
				for j, ns := range []int64{l.P50, l.P99, l.Max} {
					lines[j].Points = append(lines[j].Points, chart.Point{X: steps[i].Achieved, Y: float64(ns) / 1e9})
				}
			}
		}
		c.Lines = append(c.Lines, lines...)
		hue++
	}
	var missed []string
	for i := range steps {
		if steps[i].Missed {
			missed = append(missed, result.Rate(steps[i].Asked))
		}
	}
	if len(missed) > 0 {
		c.Notes = append(c.Notes, someOf(missed)+": asked for and not sustained. A queue grew there, and latency tells how long the step was.")
	}
	return c.Write(w)
}

// responseNames are the operations that have response times, in order.
func responseNames(steps []result.Load) []string {
	var names []string
	for i := range steps {
		for _, l := range steps[i].Latencies {
			if l.Kind == record.TagResponse && !slices.Contains(names, l.Name) {
				names = append(names, l.Name)
			}
		}
	}
	return names
}
