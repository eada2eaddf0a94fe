package export

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/result"
)

func TestLatencyLevel(t *testing.T) {
	for unit, want := range map[string]float64{"p50-ns": 50, "p99.99-ns": 99.99, "min-ns": 0, "max-ns": 100, "p100-ns": 100} {
		if level, ok := latencyLevel(unit); !ok || level != want {
			t.Errorf("%s: %v %v", unit, level, ok)
		}
	}
	for _, unit := range []string{"ns/op", "p50", "50-ns", "p-ns", "p50-B", "p101-ns", "px-ns", "p1e1-ns", "p5.0.0-ns", "B-ns"} {
		if level, ok := latencyLevel(unit); ok {
			t.Errorf("%s: %v", unit, level)
		}
	}
}

func TestJMHTime(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "single-shot", -1: "single-shot", 50 * time.Millisecond: "50 ms", time.Second: "1 s", 90 * time.Second: "90 s", 2 * time.Minute: "2 min",
		1500 * time.Millisecond: "1500 ms", 20 * time.Microsecond: "20 us", 7: "7 ns", 1001: "1001 ns",
	} {
		if got := jmhTime(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// The percentiles of JMH's own Statistics: position p(n+1)/100.
func TestJMHPercentiles(t *testing.T) {
	inf := result.Number(math.Inf(1))
	for _, c := range []struct {
		xs   []result.Number
		want string
	}{
		{nil, "[NaN NaN NaN NaN NaN NaN NaN NaN NaN NaN]"},
		{numbers(7), "[7 7 7 7 7 7 7 7 7 7]"},
		{numbers(3, 1, math.NaN(), 2), "[1 2 3 3 3 3 3 3 3 3]"},
		{numbers(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), "[1 5.5 9.9 10 10 10 10 10 10 10]"},
		{[]result.Number{1, inf, inf}, "[1 +INF +INF +INF +INF +INF +INF +INF +INF +INF]"},
	} {
		before := slices.Clone(c.xs)
		var got []any
		percentiles := jmhMetric(result.Metric{Values: c.xs})[7].(result.Object)
		for i := 1; i < len(percentiles); i += 2 {
			got = append(got, percentiles[i])
		}
		if got := fmt.Sprint(got); got != c.want {
			t.Errorf("%v: %v, want %s", c.xs, got, c.want)
		}
		if len(before) > 0 && before[0] != c.xs[0] {
			t.Errorf("%v became %v", before, c.xs)
		}
	}
}

func numbers(xs ...float64) (out []result.Number) {
	for _, x := range xs {
		out = append(out, result.Number(x))
	}
	return out
}
