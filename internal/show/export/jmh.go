package export

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// jmhResult is one object of JMH's JSON results, with the keys in JMH's order
// (openjdk/jmh, results/format/JSONResultFormat.java) and ours behind them. JMH
// puts its file together from strings, so that a quote in a unit makes it
// invalid; here it is encoded.
type jmhResult struct {
	JMHVersion string   `json:"jmhVersion"` // who wrote it: "tare v1.0.0"
	Benchmark  string   `json:"benchmark"`  // see jmhName
	Mode       string   `json:"mode"`
	Threads    int      `json:"threads"` // GOMAXPROCS
	Forks      int      `json:"forks"`   // those that count
	JVM        string   `json:"jvm"`
	JVMArgs    []string `json:"jvmArgs"` // settings and build flags of the forks
	JDKVersion string   `json:"jdkVersion"`
	VMName     string   `json:"vmName"`
	VMVersion  string   `json:"vmVersion"`

	WarmupIterations      int    `json:"warmupIterations"`
	WarmupTime            string `json:"warmupTime"`
	WarmupBatchSize       int    `json:"warmupBatchSize"` // 1: all scores are per operation
	MeasurementIterations int    `json:"measurementIterations"`
	MeasurementTime       string `json:"measurementTime"`
	MeasurementBatchSize  int    `json:"measurementBatchSize"`

	Params    result.Params `json:"params,omitempty"`
	Primary   jmhMetric     `json:"primaryMetric"`
	Secondary jmhSecondary  `json:"secondaryMetrics"`

	Timestamp  string   `json:"timestamp,omitempty"` // start of the run
	Host       *jmhHost `json:"host,omitempty"`
	GoVersion  string   `json:"goVersion,omitempty"`
	Package    string   `json:"package"`
	Name       string   `json:"name"` // in full, as go test has it
	Side       string   `json:"side,omitempty"`
	Role       string   `json:"role,omitempty"`
	Operations int64    `json:"operations,omitempty"` // per iteration, where they are fixed
	Seed       string   `json:"seed,omitempty"`
	Score      string   `json:"scoreIs"`
	Interval   string   `json:"scoreConfidenceIs"`
	Confidence float64  `json:"scoreConfidenceLevel,omitempty"` // absent if there is no interval
	RawDataIs  string   `json:"rawDataIs,omitempty"`            // where it is not simply all iterations
	Warnings   []string `json:"warnings,omitempty"`             // codes
}

// jmhHost is the machine.
type jmhHost struct {
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	Kernel  string `json:"kernel,omitempty"`
	CPU     string `json:"cpu,omitempty"`
	Cores   int    `json:"cores,omitempty"`
	Memory  int64  `json:"memory,omitempty"` // bytes
	Virtual string `json:"virtual,omitempty"`
}

// The modes of JMH.
const (
	jmhThroughput = "thrpt"
	jmhAverage    = "avgt"
	jmhSample     = "sample"
	jmhSingleShot = "ss"
)

// JMH writes an array of results as JMH's own writer has it, for viewers
// such as JMH Visualizer: the score is the median of the forks. What failed has no
// score, and is left out as JMH leaves it out.
func JMH(w io.Writer, s *result.Result) error {
	out := []jmhResult{}
	for _, row := range jmhRows(s) {
		out = append(out, jmhOf(s.Run, row))
	}
	e := json.NewEncoder(termtext.JSON(w))
	e.SetIndent("", "    ")
	return e.Encode(out)
}

func jmhOf(run *record.Run, row jmhRow) jmhResult {
	r := row.res
	out := jmhResult{
		Benchmark: row.class + "." + row.method, Params: row.params, Mode: jmhMode(r),
		Threads: max(r.Procs, 1), Forks: r.Forks, JVM: "go", JVMArgs: []string{}, VMName: "Go",
		WarmupBatchSize: 1, MeasurementBatchSize: 1, MeasurementIterations: r.Iterated,
		Package: r.Pkg, Name: r.Name, Side: r.Side, Role: r.Role, Operations: r.N,
		Score:      "median of the forks, each the median of its measured iterations",
		Interval:   "distribution-free interval of the median, from order statistics of the forks",
		Confidence: r.Confidence,
	}
	out.Primary = jmhMetricOf(r.Unit, r.Interval, r.Values, r.Iterations)
	for _, m := range r.Metrics {
		out.Secondary = append(out.Secondary, jmhMetricOf(m.Unit, m.Interval, m.Values, m.Iterations))
	}
	most := 0
	for _, fork := range out.Primary.RawData {
		most = max(most, len(fork))
	}
	switch {
	case out.Mode == jmhSample:
		jmhSampled(&out.Primary, r)
		out.RawDataIs = "percentiles of the latencies, each with its share of 100 000 operations"
	case most < r.Iterated:
		out.RawDataIs = "the first " + strconv.Itoa(most) + " measured iterations of each fork"
	}
	for _, w := range r.Warnings {
		out.Warnings = append(out.Warnings, w.Code)
	}
	out.JMHVersion = "tare"
	out.WarmupTime, out.MeasurementTime = jmhTime(0), jmhTime(0)
	if run != nil {
		out.fromRun(run)
	}
	return out
}

// fromRun fills in what all results of a run share, or those of a side.
func (out *jmhResult) fromRun(run *record.Run) {
	c, e := run.Config, run.Env
	out.JMHVersion = strings.TrimSpace("tare " + run.Tare)
	out.GoVersion = e.Go
	set := func(key, value string) {
		if value != "" {
			out.JVMArgs = append(out.JVMArgs, key+value)
		}
	}
	set("GOGC=", c.GOGC)
	set("GOMEMLIMIT=", c.MemoryLimit)
	set("-tags=", c.Tags)
	out.JVMArgs = append(out.JVMArgs, c.Setenv...)
	for _, side := range run.Sides {
		if side.Name == out.Side {
			out.JVMArgs = append(append(out.JVMArgs, side.Flags...), side.Setenv...)
			if side.Toolchain != "" {
				out.GoVersion = side.Toolchain
			}
		}
	}
	out.JDKVersion, out.VMVersion = out.GoVersion, out.GoVersion
	if out.Mode != jmhSingleShot {
		out.WarmupIterations = c.Warmup
		if !strings.HasSuffix(c.Benchtime, "x") { // else it is not time that ends an iteration
			out.WarmupTime, out.MeasurementTime = jmhTime(c.Time), jmhTime(c.Time)
		}
	}
	if out.MeasurementIterations == 0 {
		out.MeasurementIterations = c.Iterations
	}
	if !run.Start.IsZero() {
		out.Timestamp = run.Start.Format(time.RFC3339)
	}
	if e.OS+e.Arch+e.CPU != "" {
		out.Host = &jmhHost{e.OS, e.Arch, e.Kernel, e.CPU, e.Cores, e.Memory, e.Virtual}
	}
	if run.Seed != 0 {
		out.Seed = run.Seed.String()
	}
}

// jmhMode returns how JMH would have called what was measured.
func jmhMode(r *result.Benchmark) string {
	switch {
	case r.SingleShot:
		return jmhSingleShot
	case record.UnitOf(r.Unit).Better == record.Higher:
		return jmhThroughput
	case record.IsTime(r.Unit) && len(latencies(r)) > 0:
		return jmhSample
	}
	return jmhAverage
}

// jmhTime writes a duration as JMH does: a whole number and one unit. No time is
// what JMH calls an iteration that ends by itself.
func jmhTime(d time.Duration) string {
	if d <= 0 {
		return "single-shot"
	}
	for _, u := range []struct {
		name string
		size time.Duration
	}{{"min", time.Minute}, {"s", time.Second}, {"ms", time.Millisecond}, {"us", time.Microsecond}} {
		if d%u.size == 0 {
			return strconv.FormatInt(int64(d/u.size), 10) + " " + u.name
		}
	}
	return strconv.FormatInt(int64(d), 10) + " ns"
}

// jmhNumber is a float64 that JMH's readers take: what JSON has no number for is
// a string.
type jmhNumber float64

// MarshalJSON implements json.Marshaler.
func (n jmhNumber) MarshalJSON() ([]byte, error) {
	switch f := float64(n); {
	case math.IsNaN(f):
		return []byte(`"NaN"`), nil
	case math.IsInf(f, 1):
		return []byte(`"+INF"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-INF"`), nil
	default:
		return json.Marshal(f)
	}
}
