package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// JMH writes an array of results as JMH's own writer has it (openjdk/jmh, results/format/JSONResultFormat.java), for
// viewers such as JMH Visualizer: the score is the median of the forks. What failed has no score, and is left out as
// JMH leaves it out. JMH puts its file together from strings, so that a quote in a unit makes it invalid; here it is
// encoded.
func JMH(w io.Writer, s *result.Result) error {
	out, run := []result.Object{}, cmp.Or(s.Run, &record.Run{})
	for _, row := range jmhRows(s) {
		out = append(out, jmhOf(run, row))
	}
	e := json.NewEncoder(termtext.JSON(w))
	e.SetIndent("", "    ")
	return e.Encode(out)
}

// jmhOf returns one result: the keys of JMH in their order, and tare's behind them.
func jmhOf(run *record.Run, row jmhRow) result.Object {
	r, c, e, goVersion := row.res, run.Config, run.Env, run.Env.Go
	args := slices.DeleteFunc([]string{"GOGC=" + c.GOGC, "GOMEMLIMIT=" + c.MemoryLimit, "-tags=" + c.Tags}, func(arg string) bool { return strings.HasSuffix(arg, "=") })
	args = append(args, c.Setenv...)
	for _, side := range run.Sides {
		if side.Name == r.Side {
			args = append(append(args, side.Flags...), side.Setenv...)
			goVersion = cmp.Or(side.Toolchain, goVersion)
		}
	}
	if r.SingleShot {
		c.Warmup = 0
	}
	if r.SingleShot || strings.HasSuffix(c.Benchtime, "x") { // it is not time that ends an iteration
		c.Time = 0
	}
	mode, primary, rawDataIs := jmhPrimary(r)
	secondary, units := result.Object{}, uniqueNames{}
	for _, m := range r.Metrics {
		secondary = append(secondary, units.of("", charset.Name(m.Unit), "_%d"), jmhMetric(m))
	}
	return slices.Concat(result.Object{
		"jmhVersion", strings.TrimSpace("tare " + run.Tare),
		"benchmark", row.class + "." + row.method,
		"mode", mode, "threads", max(r.Procs, 1), "forks", r.Forks, // threads: GOMAXPROCS
		"jvm", "go", "jvmArgs", args, "jdkVersion", goVersion, "vmName", "Go", "vmVersion", goVersion,
		"warmupIterations", c.Warmup, "warmupTime", jmhTime(c.Time), "warmupBatchSize", 1, // 1: all scores are per operation
		"measurementIterations", cmp.Or(r.Iterated, c.Iterations), "measurementTime", jmhTime(c.Time), "measurementBatchSize", 1,
	}, result.Object{"params", row.params}.Set(), result.Object{"primaryMetric", primary, "secondaryMetrics", secondary}, result.Object{
		"timestamp", run.Start.Truncate(time.Second),
		"host", result.Object{"os", e.OS, "arch", e.Arch, "kernel", e.Kernel, "cpu", e.CPU, "cores", e.Cores, "memory", e.Memory, "virtual", e.Virtual}.Set(),
		"goVersion", goVersion,
		"package", &r.Pkg, "name", &r.Name, // in full, as go test has it; present also if empty
		"side", r.Side, "role", r.Role,
		"operations", r.N, "seed", run.Seed, // operations per iteration, where they are fixed
		"scoreIs", "median of the forks, each the median of its measured iterations",
		"scoreConfidenceIs", "distribution-free interval of the median, from order statistics of the forks",
		"scoreConfidenceLevel", r.Confidence, "rawDataIs", rawDataIs, "warnings", result.Codes(r.Warnings),
	}.Set())
}

// jmhTime writes a duration as JMH does: a whole number and one unit. No time is
// what JMH calls an iteration that ends by itself.
func jmhTime(d time.Duration) string {
	if d <= 0 {
		return "single-shot"
	}
	names, steps := []string{"ns", "us", "ms", "s", "min"}, []time.Duration{1000, 1000, 1000, 60}
	for len(steps) > 0 && d%steps[0] == 0 {
		d, names, steps = d/steps[0], names[1:], steps[1:]
	}
	return fmt.Sprintf("%d %s", d, names[0])
}

// jmhPrimary returns what JMH would have called what was measured, the metric of a result's own unit, and what its
// raw data are where they are not simply all iterations.
func jmhPrimary(r *result.Benchmark) (mode string, metric result.Object, rawDataIs string) {
	own := result.Metric{Unit: r.Unit, Interval: r.Interval, Values: r.Values, Iterations: r.Iterations}
	most := len(slices.MaxFunc(append(rawData(own), nil), func(a, b []any) int { return len(a) - len(b) }))
	if most < r.Iterated {
		rawDataIs = "the first " + strconv.Itoa(most) + " measured iterations of each fork"
	}
	switch medians, latencies := latenciesOf(r); {
	case r.SingleShot:
		return "ss", jmhMetric(own), rawDataIs
	case record.UnitOf(r.Unit).Better == record.Higher:
		return "thrpt", jmhMetric(own), rawDataIs
	case record.IsTime(r.Unit) && latencies[50] != nil:
		return "sample", jmhSample(own, medians, latencies), "percentiles of the latencies, each with its share of 100 000 operations"
	}
	return "avgt", jmhMetric(own), rawDataIs
}

// jmhMetric returns the score of one unit. Its error is the longer half of the interval, NaN if there is none.
// The percentiles are those of the forks, as JMH computes them of its iterations: at position p(n+1)/100,
// interpolated, and the outermost values beyond them.
func jmhMetric(m result.Metric) result.Object {
	half := max(float64(m.Hi-m.Median), float64(m.Median-m.Lo))
	if math.IsInf(half, 0) {
		half = math.NaN()
	}
	xs := result.Reported(m.Values)
	xs = append(xs, stat.Quantile(xs, 0), stat.Quantile(xs, 1))
	return result.Object{
		"score", jmhNumber(m.Median),
		"scoreError", jmhNumber(half),
		"scoreConfidence", []any{jmhNumber(m.Lo), jmhNumber(m.Hi)},
		"scorePercentiles", jmhPercentiles(func(level float64) float64 { return stat.Quantile(xs, level/100) }),
		"scoreUnit", charset.Name(m.Unit),
		"rawData", rawData(m),
	}
}

// jmhPercentiles returns the values at the percentiles that JMH writes, from 0 to 100.
func jmhPercentiles(at func(level float64) float64) (out result.Object) {
	for _, level := range []float64{0, 50, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999, 100} {
		out = append(out, string(javaDouble(level)), jmhNumber(at(level)))
	}
	return out
}

// rawData returns the iterations of each fork. A unit without iterations has the values of its forks instead.
func rawData(m result.Metric) [][]any {
	out := make([][]any, len(m.Values))
	for i, v := range m.Values {
		out[i] = []any{}
		if i < len(m.Iterations) {
			for _, x := range m.Iterations[i] {
				out[i] = append(out[i], jmhNumber(x))
			}
		} else if !math.IsNaN(float64(v)) {
			out[i] = append(out[i], jmhNumber(v))
		}
	}
	return out
}

// jmhNumber returns a number as JMH's readers take it: what JSON has no number for is a string.
func jmhNumber[T ~float64](x T) any {
	if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
		return strings.Replace(fmt.Sprint(f), "Inf", "INF", 1)
	}
	return x
}

// latenciesOf returns the percentiles of the latencies that a benchmark reports as units of their own, such as
// p99-ns, by their level from 0 to 100: their medians, and their iterations of each fork.
func latenciesOf(r *result.Benchmark) (medians map[float64]float64, iterations map[float64][][]any) {
	medians, iterations = map[float64]float64{}, map[float64][][]any{}
	for _, m := range r.Metrics {
		if level, ok := latencyLevel(m.Unit); ok {
			medians[level], iterations[level] = float64(m.Median), rawData(m)
		}
	}
	return medians, iterations
}

// latencyLevel reads p50-ns, p99.9-ns, min-ns and max-ns.
func latencyLevel(unit string) (level float64, ok bool) {
	unit = cmp.Or(map[string]string{"min-ns": "p0-ns", "max-ns": "p100-ns"}[unit], unit)
	digits := strings.TrimSuffix(strings.TrimPrefix(unit, "p"), "-ns")
	level, err := strconv.ParseFloat(digits, 64)
	return level, unit == "p"+digits+"-ns" && strings.Trim(digits, "0123456789.") == "" && err == nil && level <= 100
}

// jmhSample returns the metric of a unit in mode sample: its percentiles are those
// of the latencies, those that were not reported NaN, and instead of iterations
// there are histograms, pairs of a value and how often it was seen. The latencies themselves are not in the result;
// each percentile stands for those between the one below and itself, as the upper end of a bucket does.
func jmhSample(own result.Metric, medians map[float64]float64, latencies map[float64][][]any) result.Object {
	histograms := [][][][2]any{}
	for fork, iterations := range rawData(own) {
		histograms = append(histograms, [][][2]any{})
		for k := range iterations {
			if h := histogramAt(latencies, fork, k); len(h) > 0 {
				histograms[fork] = append(histograms[fork], h)
			}
		}
	}
	out := jmhMetric(own)
	out[7] = jmhPercentiles(func(level float64) float64 {
		if median, ok := medians[level]; ok {
			return median
		}
		return math.NaN()
	})
	out[10], out[11] = "rawDataHistogram", histograms
	return out
}

// histogramAt returns one iteration of one fork.
func histogramAt(latencies map[float64][][]any, fork, k int) (h [][2]any) {
	below := 0.0
	for _, level := range slices.Sorted(maps.Keys(latencies)) {
		raw := latencies[level]
		count := math.Round((level - below) / 100 * 100_000)
		if fork < len(raw) && k < len(raw[fork]) && raw[fork][k] != "NaN" && count > 0 {
			h = append(h, [2]any{raw[fork][k], count})
			below = level
		}
	}
	return h
}
