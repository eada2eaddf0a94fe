package latency

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/record"
)

// WriteSweep draws the response time over the achieved rate, as SVG: median, p99 and
// maximum of each operation.
func WriteSweep(w io.Writer, sum *result.Result) error {
	c := chart.Lines{
		Title: "Latency over throughput",
		X:     chart.Axis{Name: "achieved", Unit: "op/s"},
		Y:     chart.Axis{Name: "response time", Unit: "s", Log: true},
	}
	if lc := sum.Run.Config.Load; lc != nil {
		c.Subtitle = strings.TrimSuffix(lc.Name+", workload "+lc.Workload, ", workload ")
	}
	steps := slices.Clone(sum.Steps)
	slices.SortStableFunc(steps, func(a, b result.Load) int { return cmp.Compare(a.TargetRate, b.TargetRate) })
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
			missed = append(missed, units.Rate(steps[i].TargetRate))
		}
	}
	if len(missed) > 0 {
		c.Notes = append(c.Notes, latencies.ListTags(missed)+": target rates that were not achieved. A queue grew there, so that latency depends on the length of the step.")
	}
	return c.Write(w)
}

// responseNames returns the operations that have response times, in order.
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
