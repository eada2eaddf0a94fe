package render

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// testCase is a summary and the ways in which its golden files show it.
type testCase struct {
	name    string
	summary *result.Result
	views   []look
}

// view is one golden file: testdata/CASE.view.
type look struct {
	name   string
	format Format
	o      Options
}

func allViews() []look {
	return []look{text100(), {"md", Markdown, Options{}}, {"json", JSON, Options{}}, {"csv", CSV, Options{}}, {"benchfmt", Benchfmt, Options{}}}
}

// dashboards are the formats that others keep and show.
func dashboards() []look {
	return []look{{"junit", JUnit, Options{}}}
}

func text100() look { return look{"txt", Text, Options{UTF8: true}} }
func asMarkdown() look {
	return look{"md", Markdown, Options{}}
}
func ascii() look { return look{"ascii.txt", Text, Options{}} }
func verbose() look {
	return look{"verbose.txt", Text, Options{UTF8: true, Verbose: true}}
}

func testCases() []testCase {
	return slices.Concat(compareCases(), jmhCases(), complexityCases(), heapCases(), allocCases(), instructionCases(), goroutineCases(), waitCases(), timeCases(), []testCase{
		{"two-packages", twoPackages(), append(allViews(), ascii(), verbose(),
			look{"color.txt", Text, Options{UTF8: true, Color: true}},
			look{"60.txt", Text, Options{UTF8: true, Width: 60}},
			look{"160.txt", Text, Options{UTF8: true, Width: 160, Verbose: true}},
			look{"verbose.md", Markdown, Options{Verbose: true}})},
		{"many-forks", manyForks(), []look{text100(), ascii()}},
		{"few-forks", fewForks(), append(append(allViews(), dashboards()...), ascii())},
		{"failed", failed(), append(append(allViews(), dashboards()...), ascii(), look{"60.txt", Text, Options{UTF8: true, Width: 60}})},
		{"metrics", metrics(), append(append(allViews(), dashboards()...), ascii(), look{"60.txt", Text, Options{UTF8: true, Width: 60}}, look{"160.txt", Text, Options{UTF8: true, Width: 160}})},
		{"hostile", hostile(), append(append(allViews(), dashboards()...), ascii(), look{"60.txt", Text, Options{UTF8: true, Width: 60}})},
		{"partial", partial(), []look{text100(), asMarkdown()}},
		{"sides", sides(), append(allViews(), verbose(), look{"60.txt", Text, Options{UTF8: true, Width: 60}})},
		{"long-names", longNames(), []look{text100(), asMarkdown(), {"60.txt", Text, Options{UTF8: true, Width: 60}}, {"160.txt", Text, Options{UTF8: true, Width: 160}}}},
		{"middle-names", middleNames(), []look{text100(), {"60.txt", Text, Options{UTF8: true, Width: 60}}}},
		{"exact", exactFigures(), []look{text100()}},
		{"another", anotherRun(), []look{text100(), asMarkdown(), {"csv", CSV, Options{}}}},
		{"empty", empty(), append(allViews(), ascii())},
	})
}

func testRun() *record.Run {
	return &record.Run{
		Version: 1, Tare: "v0.1.0", Start: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), Mono: 1e12,
		Command: []string{"tare", "bench", "--bench", "SortInt1K|Fields/ASCII/256", "sort", "strings"},
		Seed:    0x7f3a,
		Config: record.Config{
			Packages: []string{"sort", "strings"}, Bench: "SortInt1K|Fields/ASCII/256",
			Forks: 20, Warmup: 1, Iterations: 2, Time: 50 * time.Millisecond, Order: "interleaved", Confidence: 0.95,
		},
		Env: record.Env{OS: "linux", Arch: "amd64", CPU: "AMD EPYC 7B13", Cores: 2, Go: "go1.26.8", GOMAXPROCS: 2},
	}
}

func testTare() record.Overhead {
	return record.Overhead{Clock: 22.1, Loop: 0.263, Launcher: 412_000, Steal: 0.0041, Load: 0.93, Wall: 63_700_000_000, Planned: 61_200_000_000}
}

func newSummary(rs ...result.Benchmark) *result.Result {
	return &result.Result{Run: testRun(), Results: rs, Tare: testTare(), End: &record.End{State: record.EndCompleted}}
}

func numbers(xs ...float64) []result.Number {
	out := make([]result.Number, len(xs))
	for i, x := range xs {
		out[i] = result.Number(x)
	}
	return out
}

func interval(m, lo, hi float64) result.Interval {
	return result.Interval{Median: result.Number(m), Lo: result.Number(lo), Hi: result.Number(hi)}
}

func unknown(m float64) result.Interval { return interval(m, math.Inf(-1), math.Inf(1)) }

// around makes n fork values between lo and hi, around m, always the same.
func around(n int, m, lo, hi float64) []result.Number {
	out := make([]result.Number, n)
	for i := range out {
		u := math.Mod(float64(i)*0.61803398875+0.3, 1)
		if u < 0.8 {
			out[i] = result.Number(lo + (m-lo)*(1+u)/1.8)
		} else {
			out[i] = result.Number(m + (hi-m)*(u-0.8)/0.2)
		}
	}
	return out
}

func metric(unit string, iv result.Interval, values ...result.Number) result.Metric {
	return result.Metric{Unit: unit, Interval: iv, Values: values}
}

// constant is a metric with the same value in n forks.
func constant(unit string, x float64, n int) result.Metric {
	return metric(unit, interval(x, x, x), slices.Repeat(numbers(x), n)...)
}

func benchRow(pkg, name string, iv result.Interval, values []result.Number, ms ...result.Metric) result.Benchmark {
	r := plainResult(pkg, name, iv, values, ms...)
	if strings.HasPrefix(name, "Stable") {
		r.Advice = "add forks, not iterations"
		r.Components = []result.Component{{Level: result.LevelIteration, Units: 40, SD: 0.012}, {Level: result.LevelFork, Units: 20, SD: 0.031}, {Level: result.LevelLayout, Units: 4, SD: 0.044}}
	}
	return r
}

func plainResult(pkg, name string, iv result.Interval, values []result.Number, ms ...result.Metric) result.Benchmark {
	return result.Benchmark{
		Pkg: pkg, Name: name, Params: record.ParseName(name), Procs: 2, Mode: record.ModeN, N: 7341, Unit: "ns/op", Forks: len(values),
		Interval: iv, Confidence: 0.9586, SpreadWithin: 0.0123, SpreadBetween: 0.031, Values: values, Metrics: ms,
	}
}

func bimodal() result.Warning {
	return result.Warning{
		Code:   "bimodal",
		Text:   "two groups of forks: 17 near 297 ns and 3 near 451 ns",
		Advice: "no number of iterations averages this out: compare with many forks, and look for what differs between processes (layout, hash seeds, placement in memory)",
	}
}

func twoPackages() *result.Result {
	fields := around(20, 302, 291, 310)
	for _, i := range []int{2, 11, 16} {
		fields[i] = result.Number(451 + float64(i)/10)
	}
	f := benchRow("strings", "Fields/ASCII/256", interval(302, 291, 455), fields, constant("B/op", 64, 20), constant("allocs/op", 1, 20))
	f.N, f.SpreadBetween = 165_562, 0.24
	f.Warnings = []result.Warning{bimodal()}
	return newSummary(
		benchRow("sort", "SortInt1K", interval(6821.7, 6710.2, 6980.9), around(20, 6821, 6700, 7000), constant("B/op", 0, 20), constant("allocs/op", 0, 20)),
		benchRow("sort", "StableInt64K", interval(3.21e6, 3.17e6, 3.33e6), around(20, 3.21e6, 3.1e6, 3.4e6), constant("B/op", 24_688, 20), constant("allocs/op", 17, 20)),
		f,
	)
}

func manyForks() *result.Result {
	drift := result.Warning{Code: "drift", Text: "the forks drifted by +5.1 % from the first third of the run to the last", Advice: "something else changed meanwhile"}
	up := make([]result.Number, 60)
	for i := range up {
		up[i] = result.Number(90 + float64(i)/3)
	}
	spike := around(200, 51.2, 50.9, 51.6)
	spike[77] = 95
	a := benchRow("example.org/m/queue", "Enqueue", interval(100.1, 98.6, 102.2), up)
	a.Warnings = []result.Warning{drift}
	b := benchRow("example.org/m/queue", "Dequeue", interval(51.21, 51.19, 51.24), spike)
	c := benchRow("example.org/m/queue", "Quiet", interval(0.26312, 0.26308, 0.26317), around(60, 0.26312, 0.2630, 0.2632))
	c.Warnings = []result.Warning{
		{Code: "empty-loop", Text: "as fast as an empty loop (0.26 ns/op): the compiler may have removed what should be measured", Advice: "keep the result alive: use for b.Loop(), or store it in a package variable"},
		drift,
	}
	s := newSummary(a, b, c)
	s.Run.Config.Forks, s.Run.Config.Precision, s.Run.Config.Budget = 200, 0.01, 10*time.Minute
	s.Run.Command = []string{"tare", "bench", "--precision", "1%", "--budget", "10m", "./queue"}
	return s
}

func fewForks() *result.Result {
	few := result.Warning{Code: "few-forks", Text: "3 forks are too few for a 99 % interval", Advice: "use --forks 8 or more"}
	a := benchRow("sort", "SortInt1K", unknown(6821.7), numbers(6821.7, 6810, 6902), metric("B/op", unknown(0), numbers(0, 0, 0)...), metric("allocs/op", unknown(0), numbers(0, 0, 0)...))
	b := benchRow("sort", "SearchWrappers", unknown(98.123), numbers(97, 98.123, 99.5), metric("B/op", unknown(16), numbers(16, 16, 16)...), metric("allocs/op", unknown(1), numbers(1, 1, 1)...))
	for _, r := range []*result.Benchmark{&a, &b} {
		r.Confidence, r.Warnings = 0, []result.Warning{few}
	}
	s := newSummary(a, b)
	s.Run.Config.Forks, s.Confidence = 3, 0.99
	s.Run.Config.Benchtime, s.Run.Config.Order = "100x", "grouped"
	s.Run.Command = []string{"tare", "bench", "--forks", "3", "--benchtime", "100x", "--seed", "7f3a", "sort"}
	return s
}

func failed() *result.Result {
	tail := []string{}
	for i := range 30 {
		tail = append(tail, strings.Repeat(".", i%7)+"line "+string(rune('a'+i%26)))
	}
	broken := result.Benchmark{
		Pkg: "example.org/m/codec", Name: "Decode/size=1k", Procs: 2, Mode: record.ModeN, ForksFailed: 2,
		Failed: "exit status 2: panic: runtime error: index out of range [1024] with length 1024, in every fork that was started for it",
		Tail: strings.Join(tail, "\n") + "\npanic: runtime error: index out of range [1024] with length 1024\n\ngoroutine 19 [running]:\n" +
			"example.org/m/codec.(*Decoder).fill(...)\n\t/home/somebody/src/example.org/m/codec/decode.go:118 +0x1d and a very long line that has to be broken somewhere\n\x1b[31mexit status 2\x1b[0m\n",
	}
	timeout := result.Benchmark{Pkg: "example.org/m/codec", Name: "Stall", Procs: 2, ForksFailed: 2, Failed: "timeout after 10s"}
	flaky := benchRow("example.org/m/codec", "Encode/size=1k", interval(1912, 1899, 1931), around(18, 1912, 1890, 1960), constant("B/op", 1024, 18), constant("allocs/op", 2, 18))
	flaky.Forks, flaky.Rounds, flaky.ForksFailed, flaky.Tail = 18, 20, 2, "--- FAIL: BenchmarkEncode/size=1k\n    encode_test.go:31: short write\nFAIL"
	flaky.Warnings = []result.Warning{{Code: "flaky", Text: "2 of 20 forks failed: exit status 1", Advice: "the figures cover the forks that passed; run the benchmark alone to see why others fail"}}
	good := benchRow("example.org/m/codec", "Encode/size=64k", interval(118_300, 117_100, 119_800), around(20, 118_300, 116_000, 121_000), constant("B/op", 65_536, 20), constant("allocs/op", 2.5, 20))
	return newSummary(flaky, good, broken, timeout)
}

func metrics() *result.Result {
	hash := func(name string, ns, mbs float64) result.Benchmark {
		return benchRow("crypto/sha256", name, interval(ns, ns*0.993, ns*1.011), around(20, ns, ns*0.99, ns*1.03),
			metric("MB/s", interval(mbs, mbs*0.99, mbs*1.01), around(20, mbs, mbs*0.98, mbs*1.02)...), constant("B/op", 0, 20), constant("allocs/op", 0, 20))
	}
	queue := func(role string, ns, rate float64) result.Benchmark {
		r := benchRow("example.org/m/queue", "SPSC/size=1024", interval(ns, ns*0.98, ns*1.02), around(20, ns, ns*0.95, ns*1.1),
			metric("op/s", interval(rate, rate*0.97, rate*1.04), around(20, rate, rate*0.9, rate*1.1)...))
		r.Role = role
		return r
	}
	p99 := metric("p99-ns", interval(18_230, 15_100, 31_800), around(20, 18_230, 15_000, 40_000)...)
	rate := benchRow("example.org/m/load", "Ring", interval(3.412e7, 3.38e7, 3.47e7), around(20, 3.412e7, 3.3e7, 3.5e7), p99,
		metric("heap-B", interval(3.3e6, 3.2e6, 3.6e6), around(20, 3.3e6, 3.1e6, 3.9e6)...),
		constant("widgets", 123_456, 20), metric("tiny", interval(3e-9, 2.9e-9, 3.2e-9), around(20, 3e-9, 2.9e-9, 3.2e-9)...),
		metric("B/op", interval(1031, 900, 1200), around(20, 1031, 900, 1200)...), metric("allocs/op", interval(1.37, 1.2, 1.6), around(20, 1.37, 1.2, 1.6)...))
	rate.Unit, rate.Mode, rate.N = "op/s", record.ModeTime, 0
	one, four := rate, rate
	one.Name, one.Procs, one.Metrics = "Scale", 1, nil
	four.Name, four.Procs, four.Metrics = "Scale", 4, nil
	four.Interval = interval(1.21e8, 1.19e8, 1.24e8)
	return newSummary(hash("Hash8Bytes", 81.3, 98.4), hash("Hash8K", 4412, 1856.7), queue("producer", 14.2, 7.04e7), queue("consumer", 15.9, 6.29e7), rate, one, four)
}

func hostile() *result.Result {
	names := []string{
		"Pipe|and`tick`s/*bold*_and_/<script>alert(1)</script>",
		"Quote/\"double\"/'single'/a,b;c",
		"Control/\x1b[31mred\x1b[0m\r\n\tnew\x00line",
		"Unicode/größe=µ/日本語/e\u0301/\u202ereversed",
		"Broken/\xff\xfe",
		" blanks at both ends ",
		"",
		"Long/" + strings.Repeat("abcdefghij", 30) + "/size=1k",
	}
	var rs []result.Benchmark
	for i, n := range names {
		r := benchRow("example.org/evil|`pkg`\n", n, interval(100, 98, 103), around(20, 100, 97, 105), constant("strange unit|", 5, 20))
		r.Warnings = []result.Warning{{Code: "odd", Text: "name | `code` \x1b[2J <b>@all</b>\nsecond line", Advice: "rm -rf * _now_ → µ"}}
		if i == 1 {
			r.Unit, r.Role = "my unit/op", "a role"
		}
		if i == 2 {
			r = result.Benchmark{Pkg: r.Pkg, Name: n, Failed: "bad | thing\x07\nhappened", Tail: "```\n# not a title\n\x1b]0;title\x07", ForksFailed: 2}
		}
		rs = append(rs, r)
	}
	s := newSummary(rs...)
	s.Run.Command = []string{"tare", "bench", "--bench", "it's|`x`", "--setenv", "A=größe\x1b[0m1", "./a b"}
	s.Run.Env.CPU = "Evil | CPU\n\x1b[31m @ 3GHz"
	s.Warnings = []result.Warning{{Code: "x", Text: "evil\x1b[31m|"}}
	return s
}

func partial() *result.Result {
	s := twoPackages()
	s.End = &record.End{State: record.EndPartial, Why: "interrupted after 7 of 20 rounds; resume with: tare bench --resume run.jsonl"}
	s.Warnings = []result.Warning{
		{Code: "steal", Text: "1.8 % of the machine's CPU time was stolen by its neighbours during the run", Advice: "expect wider intervals; measure at a quieter time or with more --forks"},
		{Code: "busy", Text: "two other processes were busy"},
	}
	return s
}

func sides() *result.Result {
	side := func(name, side string, ns float64, ms ...result.Metric) result.Benchmark {
		r := benchRow("example.org/m/codec", name, interval(ns, ns*0.985, ns*1.018), around(20, ns, ns*0.97, ns*1.05), append(ms, constant("allocs/op", 2, 20))...)
		r.Side = side
		return r
	}
	gone := result.Benchmark{Pkg: "example.org/m/codec", Name: "Decode/size=1k", Procs: 2, Side: "new", Failed: "exit status 2", ForksFailed: 2, Tail: "panic: boom"}
	p50 := metric("p50-ns", interval(880, 850, 930), around(20, 880, 850, 930)...)
	s := newSummary(
		side("Encode/size=1k", "old", 1912, p50, constant("B/op", 1024, 20)), side("Decode/size=1k", "old", 2403, constant("B/op", 1024, 20)),
		side("Encode/size=1k", "new", 1871, p50, constant("B/op", 1152, 20)), gone)
	s.Run.Sides = []record.Side{{Name: "old", Revision: "1c9e2ab"}, {Name: "new", Dirty: true, Toolchain: "go1.27", Flags: []string{"-gcflags=-B"}}}
	return s
}

func longNames() *result.Result {
	s := twoPackages()
	for i := range s.Results {
		s.Results[i].Name += "/implementation=some-quite-long-name/producers=16/consumers=16/size=65536"
	}
	s.Results[0].Pkg = "example.org/" + strings.Repeat("very/", 25) + "deep"
	s.Results[1].Pkg = s.Results[0].Pkg
	s.Run.Env.CPU = "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz"
	return s
}

// middleNames differ only where shortening cuts first.
func middleNames() *result.Result {
	var rs []result.Benchmark
	for _, kind := range []string{"spsc", "mpsc"} {
		rs = append(rs, benchRow("example.org/m/queue", "Throughput/implementation=linked/kind="+kind+"/producers=16/consumers=16/size=65536", interval(31, 30, 32), around(20, 31, 30, 32), constant("B/op", 0, 20)))
	}
	return newSummary(rs...)
}

// exactFigures covers the corners of units.Rounding and units in the table itself.
func exactFigures() *result.Result {
	var rs []result.Benchmark
	for _, c := range []struct {
		name string
		iv   result.Interval
	}{
		{"Zero", interval(0, 0, 0)},
		{"ZeroNoise", interval(0, -0.013, 0.021)},
		{"Equal", interval(302, 302, 302)},
		{"EqualScaled", interval(1500, 1500, 1500)},
		{"Wide", interval(302, 120, 655)},
		{"Wider", interval(5, 1, 61)},
		{"Narrow", interval(6821.712345, 6821.712341, 6821.712349)},
		{"Seconds", interval(1.53e9, 1.49e9, 1.61e9)},
		{"Minutes", interval(1.53e11, 1.49e11, 1.61e11)},
		{"Picosecond", interval(0.00026, 0.00025, 0.00028)},
		{"AlmostMicro", interval(999.7, 998.1, 1003)},
		{"NaN", interval(math.NaN(), math.NaN(), math.NaN())},
		{"Infinite", interval(math.Inf(1), math.Inf(1), math.Inf(1))},
	} {
		rs = append(rs, benchRow("corners", c.name, c.iv, slices.Repeat(numbers(float64(c.iv.Median)), 8)))
	}
	return newSummary(rs...)
}

// anotherRun has benchmarks of which it is known where the median of another run may be, and one that lost its processors.
func anotherRun() *result.Result {
	row := func(name string, ns float64, a *result.Another, lost float64) result.Benchmark {
		r := benchRow("example.org/m/codec", name, interval(ns, ns*0.98, ns*1.03), around(20, ns, ns*0.95, ns*1.1))
		share := result.Number(lost)
		r.Another, r.Lost = a, &share
		return r
	}
	disturbed := row("Starved", 2300, &result.Another{Runs: 12, Seen: 31, Half: 0.65, Confidence: 0.95, Lo: 1200, Hi: 4406}, 0.23)
	disturbed.Warnings = []result.Warning{{Code: diagnosis.Starved, Text: "others had the processors for 23 % of its time; 9 of 20 forks lost more than 10 %", Advice: "measure at a quieter time"}}
	return newSummary(
		row("Known", 1912, &result.Another{Runs: 12, Seen: 31, Half: 0.131, Confidence: 0.95, Lo: 1677, Hi: 2180}, 0.01),
		row("Approximate", 900, &result.Another{Runs: 1, Seen: 31, Half: 0.0488, Confidence: 0.95, Approximate: true, Lo: 857, Hi: 945}, 0),
		row("NotKnown", 500, &result.Another{Runs: 0, Seen: 31}, 0),
		disturbed,
	)
}

func empty() *result.Result {
	return &result.Result{Results: []result.Benchmark{}}
}
