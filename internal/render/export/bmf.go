package export

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
)

// The most characters that Bencher takes for the names of a benchmark and of a measure.
const (
	bmfName    = 1024
	bmfMeasure = 64
)

// bmfMetric is a value with its interval. An infinite bound is left out.
type bmfMetric struct {
	Value float64  `json:"value"`
	Lower *float64 `json:"lower_value,omitempty"`
	Upper *float64 `json:"upper_value,omitempty"`
}

// BMF writes the Bencher Metric Format (https://bencher.dev/docs/reference/bencher-metric-format/): an object of benchmarks,
// each an object of measures. Measures are named for the unit; ns/op is Bencher's latency, in nanoseconds, and op/s its
// throughput. Of a comparison it has the last side.
func BMF(w io.Writer, s *result.Result) error {
	rows := lastSide(s)
	if len(rows) == 0 {
		return errNothing
	}
	names, unique, out := rowNamesOf(rows), uniqueNames{}, map[string]map[string]bmfMetric{}
	for _, r := range rows {
		name := unique.of(names.long(r))
		if n := len([]rune(name)); n > bmfName {
			return fmt.Errorf("bmf: the name of %.40s… has %d characters, and Bencher takes %d", name, n, bmfName)
		}
		measures := map[string]bmfMetric{}
		for _, m := range append(result.Metrics{{Unit: r.Unit, Interval: r.Interval}}, r.Metrics...) {
			if len([]rune(m.Unit)) <= bmfMeasure && isFinite(float64(m.Median)) {
				measures[bmfMeasureOf(m.Unit)] = bmfOf(m.Interval)
			}
		}
		if len(measures) > 0 {
			out[name] = measures
		}
	}
	if len(out) == 0 {
		return errNothing
	}
	e := json.NewEncoder(termtext.JSON(w))
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func bmfMeasureOf(unit string) string {
	switch unit {
	case "ns/op":
		return "latency"
	case "op/s":
		return "throughput"
	}
	return unit
}

func bmfOf(i result.Interval) bmfMetric {
	m := bmfMetric{Value: float64(i.Median)}
	if lo, hi := float64(i.Lo), float64(i.Hi); isFinite(lo) && isFinite(hi) {
		m.Lower, m.Upper = &lo, &hi
	}
	return m
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
