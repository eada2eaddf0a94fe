package export

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// jmhMetric is the score of one unit.
type jmhMetric struct {
	Score       jmhNumber        `json:"score"`
	Error       jmhNumber        `json:"scoreError"`      // the longer half of the interval; NaN if there is none
	Confidence  [2]jmhNumber     `json:"scoreConfidence"` // its bounds
	Percentiles jmhPercentiles   `json:"scorePercentiles"`
	Unit        string           `json:"scoreUnit"`
	RawData     [][]jmhNumber    `json:"rawData,omitzero"`          // of each fork, its iterations
	Histogram   [][]jmhHistogram `json:"rawDataHistogram,omitzero"` // instead, in mode sample
}

// jmhHistogram is one iteration: pairs of a value and how often it was seen.
type jmhHistogram [][2]jmhNumber

// jmhSecondary is written as an object, in the order of the units.
type jmhSecondary []jmhMetric

// MarshalJSON implements json.Marshaler. Units that are the same once they are
// printable have numbers behind them.
func (ms jmhSecondary) MarshalJSON() ([]byte, error) {
	taken := map[string]int{}
	return result.Object(len(ms), func(i int) (string, any) {
		return untaken(taken, func(n int) string { return numbered(ms[i].Unit, n) }), ms[i]
	})
}

// untaken returns the first unused of several keys and marks it as used. The keys are numbered from n = 1. taken has for each used key
// the least number of those that begin with it which may be unused: thousands of one name must not be tried again and again.
func untaken(taken map[string]int, key func(n int) string) string {
	first := key(1)
	n := max(taken[first], 1)
	for taken[key(n)] > 0 {
		n++
	}
	out := key(n)
	taken[out] = max(taken[out], 2)
	taken[first] = n + 1
	return out
}

// numbered returns a name, from the second of that name on with a number.
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + "_" + strconv.Itoa(n)
}

// jmhPercentiles are the values at jmhLevels.
type jmhPercentiles [10]jmhNumber

// jmhLevels are the percentiles that JMH writes.
var jmhLevels = [len(jmhPercentiles{})]float64{0, 50, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999, 100}

// MarshalJSON implements json.Marshaler.
func (p jmhPercentiles) MarshalJSON() ([]byte, error) {
	return result.Object(len(p), func(i int) (string, any) { return jmhLevel(jmhLevels[i]), p[i] })
}

// jmhLevel writes a percentile with a decimal point, as Java does.
func jmhLevel(p float64) string {
	s := strconv.FormatFloat(p, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// jmhMetricOf returns JMH's metric of a unit. A result without iterations has the values of its forks instead.
func jmhMetricOf(unit string, iv result.Interval, values []result.Number, iterations [][]float64) jmhMetric {
	m := jmhMetric{
		Score: jmhNumber(iv.Median), Confidence: [2]jmhNumber{jmhNumber(iv.Lo), jmhNumber(iv.Hi)}, Error: jmhNumber(math.NaN()),
		Unit: charset.Name(unit), RawData: [][]jmhNumber{}, Percentiles: jmhPercentilesOf(values),
	}
	if half := max(float64(iv.Hi-iv.Median), float64(iv.Median-iv.Lo)); !math.IsInf(half, 0) {
		m.Error = jmhNumber(half)
	}
	for i, v := range values {
		fork := []jmhNumber{}
		switch {
		case i < len(iterations):
			for _, x := range iterations[i] {
				fork = append(fork, jmhNumber(x))
			}
		case !math.IsNaN(float64(v)):
			fork = append(fork, jmhNumber(v))
		}
		m.RawData = append(m.RawData, fork)
	}
	return m
}

// jmhPercentilesOf returns those of the forks, as JMH computes them of its
// iterations: at position p(n+1)/100, interpolated, and the outermost values
// beyond them.
func jmhPercentilesOf(values []result.Number) (out jmhPercentiles) {
	xs := slices.DeleteFunc(slices.Clone(values), func(v result.Number) bool { return math.IsNaN(float64(v)) })
	slices.Sort(xs)
	if len(xs) == 0 {
		xs = []result.Number{result.Number(math.NaN())}
	}
	for i, p := range jmhLevels {
		at := min(max(p*float64(len(xs)+1)/100, 1), float64(len(xs)))
		k := int(at)
		below, above := xs[k-1], xs[min(k, len(xs)-1)]
		if part := at - float64(k); part > 0 && below != above { // both may be infinite
			below += result.Number(part) * (above - below)
		}
		out[i] = jmhNumber(below)
	}
	return out
}

// latency is a percentile of the latencies that a benchmark reports as a unit of
// its own: p99-ns.
type latency struct {
	level  float64 // max-ns is 100
	metric *result.Metric
}

// latencies returns those of a result in the order of their levels, or none if the
// median is not among them.
func latencies(r *result.Benchmark) []latency {
	var out []latency
	for i := range r.Metrics {
		if level, ok := latencyLevel(r.Metrics[i].Unit); ok {
			out = append(out, latency{level, &r.Metrics[i]})
		}
	}
	slices.SortStableFunc(out, func(a, b latency) int { return cmp.Compare(a.level, b.level) })
	if !slices.ContainsFunc(out, func(l latency) bool { return l.level == 50 }) {
		return nil
	}
	return out
}

// latencyLevel reads p50-ns, p99.9-ns, min-ns and max-ns.
func latencyLevel(unit string) (level float64, ok bool) {
	name, isTime := strings.CutSuffix(unit, "-ns")
	switch {
	case !isTime || !record.IsTime(unit):
		return 0, false
	case name == "min":
		return 0, true
	case name == "max":
		return 100, true
	}
	digits, ok := strings.CutPrefix(name, "p")
	if !ok || strings.Trim(digits, "0123456789.") != "" {
		return 0, false
	}
	level, err := strconv.ParseFloat(digits, 64)
	return level, err == nil && level <= 100
}

// jmhSampled turns a metric into one of mode sample: its percentiles are those
// of the latencies, those that were not reported NaN, and instead of iterations
// there are histograms. The latencies themselves are not in the summary; each
// percentile stands for those between the one below and itself, as the upper
// end of a bucket does.
func jmhSampled(m *jmhMetric, r *result.Benchmark) {
	ls := latencies(r)
	for i, level := range jmhLevels {
		m.Percentiles[i] = jmhNumber(math.NaN())
		for _, l := range ls {
			if l.level == level {
				m.Percentiles[i] = jmhNumber(l.metric.Median)
			}
		}
	}
	m.Histogram = [][]jmhHistogram{}
	for fork := range m.RawData {
		iterations := []jmhHistogram{}
		for k := range m.RawData[fork] {
			if h := histogramAt(ls, fork, k); len(h) > 0 {
				iterations = append(iterations, h)
			}
		}
		m.Histogram = append(m.Histogram, iterations)
	}
	m.RawData = nil
}

// histogramAt returns one iteration of one fork.
func histogramAt(ls []latency, fork, k int) jmhHistogram {
	const whole = 100_000
	h, below := jmhHistogram{}, 0.0
	for _, l := range ls {
		x := math.NaN()
		switch m := l.metric; {
		case fork < len(m.Iterations):
			if k < len(m.Iterations[fork]) {
				x = m.Iterations[fork][k]
			}
		case fork < len(m.Values):
			x = float64(m.Values[fork])
		}
		if count := math.Round((l.level - below) / 100 * whole); count > 0 && !math.IsNaN(x) {
			h = append(h, [2]jmhNumber{jmhNumber(x), jmhNumber(count)})
			below = l.level
		}
	}
	return h
}
