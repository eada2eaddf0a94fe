package render

import (
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// jmhCases are what JMH has that other formats have not. One of them has a golden file; TestJMH holds the others, too.
func jmhCases() []testCase {
	return []testCase{{"jmh-modes", jmhModes(), []look{{"jmh", JMH, Options{}}}}, {"jmh-names", jmhNames(), nil}}
}

// jmhModes holds a result of each mode, with iterations.
func jmhModes() *result.Result {
	const forks = 8
	with := func(xs []result.Number, n int) [][]float64 {
		var out [][]float64
		for _, x := range xs {
			var fork []float64
			for k := range n {
				fork = append(fork, float64(x)*(1+float64(k)/100))
			}
			out = append(out, fork)
		}
		return out
	}
	average := benchRow("example.org/m/codec", "Encode/size=1k", interval(1912, 1899, 1931), around(forks, 1912, 1890, 1960), constant("B/op", 1024, forks), metric("usedMem_fin-B", interval(5e6, 4.9e6, 5.2e6), around(forks, 5e6, 4.8e6, 5.3e6)...))
	average.Iterations, average.Iterated = with(average.Values, 2), 2
	average.Metrics[0].Iterations = with(average.Metrics[0].Values, 2)
	average.Metrics[0].Iterations[3] = nil // a fork that did not report it

	rate := benchRow("example.org/m/queue", "SPSC", interval(7e7, 6.9e7, 7.2e7), around(forks, 7e7, 6.8e7, 7.4e7))
	rate.Unit, rate.Mode, rate.N = "op/s", record.ModeTime, 0

	sample := benchRow("example.org/m/queue", "Offer", interval(310, 300, 330), around(forks, 310, 300, 340))
	for _, p := range []struct {
		unit string
		x    float64
	}{{"max-ns", 81_000}, {"p50-ns", 290}, {"p99.9-ns", 9100}, {"p99-ns", 1200}, {"floor-ns/op", 1.1}} {
		sample.Metrics = append(sample.Metrics, metric(p.unit, interval(p.x, p.x*0.9, p.x*1.2), around(forks, p.x, p.x*0.9, p.x*1.3)...))
	}
	sample.Iterations, sample.Iterated = with(sample.Values, 2), 2
	for i := range sample.Metrics {
		sample.Metrics[i].Iterations = with(sample.Metrics[i].Values, 2)
	}
	sample.Metrics[1].Iterations[2] = nil

	shot := benchRow("example.org/m/start", "Load", interval(4.1e6, 3.9e6, 4.4e6), around(forks, 4.1e6, 3.9e6, 4.5e6))
	shot.SingleShot, shot.N, shot.Iterated = true, 1, 1

	long := benchRow("example.org/m/codec", "Decode", interval(100, 99, 101), around(forks, 100, 98, 103))
	long.Iterations, long.Iterated = with(long.Values, 3), 100

	few := benchRow("example.org/m/codec", "Few", unknown(100), numbers(100, 101))
	few.Forks, few.Confidence = 2, 0
	few.Warnings = []result.Warning{{Code: "few-forks", Text: "2 forks"}}

	s := newSummary(average, rate, sample, shot, long, few)
	s.Run.Config.Setenv, s.Run.Config.GOGC, s.Run.Config.MemoryLimit, s.Run.Config.Tags = []string{"A=b"}, "50", "1GiB", "x,y"
	s.Run.Env.Kernel, s.Run.Env.Memory, s.Run.Env.Virtual = "6.12.1", 8<<30, "kvm"
	return s
}

// jmhNames returns benchmarks whose names would collide, or be split wrongly, if they were not changed.
func jmhNames() *result.Result {
	var rs []result.Benchmark
	add := func(pkg, name, side, role string, procs int) {
		r := benchRow(pkg, name, interval(100, 98, 103), numbers(99, 100, 101, 102, 98, 103))
		r.Side, r.Role, r.Procs, r.Forks = side, role, procs, 6
		rs = append(rs, r)
	}
	add("gopkg.in/yaml.v3", "Plain", "", "", 1)
	add("gopkg.in/yaml.v3", "Parse/file=a.b c/d", "", "", 1)
	add("gopkg.in/yaml.v3", "Parse/file=a.b_c/d", "", "", 1)
	add("gopkg.in/yaml.v3", "Parse/file=a=b/deep=1", "", "", 1)
	add("gopkg.in/yaml.v3", "Parse/file=x/deep=2/file=y", "", "", 1)
	add("gopkg.in/yaml.v3", "Parse/raw", "", "", 1)
	add("github.com/puzpuzpuz/xsync/v4", "Map.Load/reads=90%", "", "", 1)
	add("github.com/puzpuzpuz/xsync/v4", "Map.Load/reads=90%", "", "", 4)
	add("github.com/puzpuzpuz/xsync/v3", "Map_Load/reads=90%", "", "", 1)
	add("queue", "SPSC/side=left", "old", "producer", 2)
	add("queue", "SPSC/side=left", "new", "producer", 2)
	add("queue", "SPSC/side=left", "new", "", 2)
	add("queue", "SPSC/side=left", "old", "", 2)
	add("", "", "", "", 0)
	add("", "a b", "", "", 1)
	add("", "a\tb", "", "", 1)
	add("", "a/b", "", "", 1)
	add("", "a.b", "", "", 1)
	add("v2", "a\"b\\c{}[],:;<>&'", "", "", 1)
	return newSummary(rs...)
}
