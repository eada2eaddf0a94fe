package render

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

func text60() look { return look{"60.txt", Text, Options{UTF8: true, Width: 60}} }
func text160() look {
	return look{"160.txt", Text, Options{UTF8: true, Width: 160}}
}
func verboseMarkdown() look { return look{"verbose.md", Markdown, Options{Verbose: true}} }
func spreadsheet() look     { return look{"csv", CSV, Options{}} }

func compareCases() []testCase {
	return []testCase{
		{"compare", compared(), append(allViews(), ascii(), verbose(), text60(), text160(), verboseMarkdown(),
			look{"color.txt", Text, Options{UTF8: true, Color: true}})},
		{"compare-three", threeSides(), []look{text100(), asMarkdown(), spreadsheet(), text60(), verbose()}},
		{"compare-identical", identicalSides(), []look{text100(), asMarkdown(), spreadsheet(), verbose()}},
		{"compare-archived", archivedSides(), []look{text100(), asMarkdown(), spreadsheet(), ascii(), text60()}},
		{"compare-texts", benchmarkTexts(), []look{text100()}},
		{"compare-failed", failedSides(), []look{text100(), asMarkdown(), verbose(), text60()}},
		{"compare-exact", exactSides(), []look{text100(), asMarkdown(), spreadsheet(), verbose()}},
		{"compare-rates", rateSides(), []look{text100(), asMarkdown(), verbose()}},
		{"compare-hostile", hostileSides(), []look{text100(), asMarkdown(), spreadsheet(), ascii(), text60()}},
		{"compare-corners", cornerSides(), []look{text100(), verbose(), text60()}},
		{"compare-gated", gatedSides(), dashboards()},
		{"compare-hostile-gated", hostileSides(), dashboards()},
		{"compare-many", manySides(), []look{text100(), asMarkdown()}},
	}
}

// against is a comparison of new with old in a unit. lo and hi are those of the
// ratio, which is new/old.
func against(name, unit string, old, new, lo, hi float64, verdict string) result.Comparison {
	r := new / old
	c := result.Comparison{
		Pkg: "example.org/m/codec", Name: name, Procs: 2, Base: "old", Side: "new", Unit: unit, Main: unit == "ns/op",
		Old: result.Number(old), New: result.Number(new), Ratio: result.Number(r), Lo: result.Number(lo), Hi: result.Number(hi),
		Confidence: 0.952, P: 0.31, AdjustedP: 0.47, Verdict: verdict, Bound: result.Number(max(hi, 1/lo) - 1), Trusted: true, OldN: 20, NewN: 20,
		Bootstrap: &result.Interval{Median: result.Number(r * 1.002), Lo: result.Number(lo * 0.998), Hi: result.Number(hi * 1.003)},
	}
	switch verdict {
	case faster, slower:
		c.P, c.AdjustedP = 0.0000012, 0.0000024
	case undecided:
		c.P, c.AdjustedP, c.ForksNeeded = 0.083, 0.12, 48
	case more, less, unchanged:
		if lo == hi {
			c.P, c.AdjustedP, c.Confidence = result.Number(math.NaN()), result.Number(math.NaN()), 1
			c.Ratio, c.Bootstrap = c.Lo, &result.Interval{Median: c.Lo, Lo: c.Lo, Hi: c.Lo}
		}
	case identical:
		c.Ratio, c.Lo, c.Hi, c.P, c.AdjustedP, c.Confidence, c.Bound, c.Bootstrap = 1, 1, 1, 1, 1, 0, 0, nil
		c.New, c.NewN = c.Old, 0
	}
	return c
}

// count returns an exact unit.
func counted(name, unit string, old, new float64) result.Comparison {
	v := unchanged
	if new > old {
		v = more
	} else if new < old {
		v = less
	}
	r := new / old
	if new == old {
		r = 1
	}
	return against(name, unit, old, new, r, r, v)
}

// untrusted takes the trust from a comparison, for a reason of its benchmark or,
// without text, of the run.
func untrusted(c result.Comparison, code, text, advice string) result.Comparison {
	c.Trusted, c.Reasons = false, append(c.Reasons, code)
	if text != "" {
		c.Warnings = append(c.Warnings, ofSide(result.Warning{Code: code, Text: text, Advice: advice}))
	}
	return c
}

// ofSide is a warning with its side out of its text: "new: 3 forks are too few".
func ofSide(w result.Warning) result.Warning {
	w.Side, w.Text, _ = strings.Cut(w.Text, ": ")
	return w
}

// sideResult is a result as far as reports of comparisons look at it.
func sideResult(side, name string, ns float64) result.Benchmark {
	r := benchRow("example.org/m/codec", name, interval(ns, ns*0.985, ns*1.018), around(20, ns, ns*0.97, ns*1.05), constant("B/op", 1024, 20), constant("allocs/op", 2, 20))
	r.Side = side
	return r
}

func sidesRun(s *result.Result) *result.Result {
	s.Run.Sides = []record.Side{
		{Name: "old", Revision: "1c9e2ab6c1d1be0e4f5c7a0a3b9d2e8f7a6b5c4d"},
		{Name: "new", Revision: "77aa2b0001d1be0e4f5c7a0a3b9d2e8f7a6b5c4d", Dir: "/home/me/m", Dirty: true},
	}
	s.Run.Dir = "/home/me/m"
	s.Run.Config.Threshold, s.Run.Config.Correction = 0.03, "bh"
	s.Run.Command = []string{"tare", "bench", "--against", "main", "./codec"}
	return s
}

func comparing(cs ...result.Comparison) *result.Result {
	s := sidesRun(newSummary())
	s.Comparisons = cs
	return s
}

// compared is the case of the design sketches.
func compared() *result.Result {
	s := comparing(
		against("SortInt1K", "ns/op", 6820, 6510, 0.941, 0.968, faster),
		counted("SortInt1K", "B/op", 0, 0), counted("SortInt1K", "allocs/op", 0, 0),
		against("Encode/size=1k", "ns/op", 1910, 1916, 0.994, 1.009, equivalent),
		counted("Encode/size=1k", "B/op", 1024, 1024), counted("Encode/size=1k", "allocs/op", 2, 2),
		against("Decode/size=1k", "ns/op", 2400, 2474, 0.987, 1.0803, undecided),
		counted("Decode/size=1k", "B/op", 1024, 1152), counted("Decode/size=1k", "allocs/op", 2, 2),
	)
	for _, side := range []string{"old", "new"} {
		s.Results = append(s.Results, sideResult(side, "SortInt1K", 6820), sideResult(side, "Encode/size=1k", 1910), sideResult(side, "Decode/size=1k", 2400))
	}
	s.Geomeans = []result.Geomean{{Base: "old", Side: "new", Unit: "ns/op", N: 3, Ratio: 0.994, Lo: 0.979, Hi: 1.012}}
	return s
}

func threeSides() *result.Result {
	s := compared()
	base := s.Comparisons
	s.Run.Sides = []record.Side{
		{Name: "main", Revision: "1c9e2ab6c1d1be0e4f5c7a0a3b9d2e8f7a6b5c4d"},
		{Name: "pooled", Dir: "/home/me/m/pooled", Flags: []string{"-pgo=cpu.prof"}, Setenv: []string{"GOGC=400"}},
		{Name: "go1.27", Dir: "/home/me/m", Toolchain: "go1.27.1"},
	}
	s.Run.Config.Correction, s.Run.Config.Threshold = "holm", 0.01
	s.Comparisons, s.Results, s.Geomeans = nil, nil, nil
	for _, side := range []string{"pooled", "go1.27"} {
		for i, c := range base {
			c.Base, c.Side = "main", side
			if side == "go1.27" && i < 3 {
				c.Pkg, c.NewN = "sort", 18
			}
			s.Comparisons = append(s.Comparisons, c)
		}
		s.Geomeans = append(s.Geomeans, result.Geomean{Base: "main", Side: side, Unit: "ns/op", N: 3, Ratio: 0.994, Lo: 0.979, Hi: 1.012})
	}
	c := against("Throughput/kind=mpsc/producers=16/consumers=16/size=65536", "op/s", 3.4e7, 3.9e7, 1.11, 1.19, faster)
	c.Base, c.Side, c.Main = "main", "go1.27", true
	s.Comparisons = append(s.Comparisons, c)
	s.Geomeans = append(s.Geomeans, result.Geomean{Base: "main", Side: "go1.27", Unit: "op/s", N: 2, Ratio: 1.14, Lo: 1.12, Hi: 1.19})
	return s
}

func identicalSides() *result.Result {
	a := against("Encode/size=1k", "ns/op", 1910, 1910, 1, 1, identical)
	b := against("Encode/size=1k", "allocs/op", 2, 2, 1, 1, identical)
	c := against("Decode/size=1k", "ns/op", 2400, 2400, 1, 1, identical)
	s := comparing(a, b, c)
	s.Results = []result.Benchmark{sideResult("old", "Encode/size=1k", 1910), sideResult("old", "Decode/size=1k", 2400)}
	return s
}

func archivedSides() *result.Result {
	s := compared()
	s.Run.Command = nil
	s.Run.Sides = []record.Side{{Name: "old"}, {Name: "new"}}
	for i := range s.Comparisons {
		c := &s.Comparisons[i]
		if c.Unit != "ns/op" {
			continue
		}
		*c = untrusted(*c, diagnosis.NotInterleaved, "", "")
		*c = untrusted(*c, diagnosis.Environment, "", "")
		c.NewN = 12
	}
	drift := "something else changed meanwhile (temperature, neighbours); compare only what was measured interleaved"
	s.Comparisons[3] = untrusted(s.Comparisons[3], diagnosis.Drift, "old: the last third of the run is 5.1 % higher than the first", drift)
	for _, side := range []string{"old", "new"} {
		s.Comparisons[6].Warnings = append(s.Comparisons[6].Warnings, result.Warning{
			Code: diagnosis.Setup, Side: side, Text: "start and set-up take 31 % of a fork",
			Advice: "use more --iterations per fork, or a longer --time, so that set-up is a smaller share"})
	}
	s.Warnings = []result.Warning{
		{Code: diagnosis.NotInterleaved, Text: "the sides were measured in different runs: a drift of the machine between them looks like a difference",
			Advice: "measure both in one run: tare bench --against REV, or --side NAME=DIR"},
		{Code: diagnosis.Environment, Text: "new is not old: toolchain go1.27 against go1.26.8", Advice: "compare like with like, unless this is the question"},
	}
	return s
}

// benchmarkTexts are sides of which nothing but the figures is known.
func benchmarkTexts() *result.Result {
	s := compared()
	s.Run = &record.Run{Config: record.Config{Iterations: 1, Correction: "none"}, Sides: []record.Side{{Name: "old"}, {Name: "new"}}}
	s.Tare = record.Overhead{}
	for i := range s.Comparisons {
		c := &s.Comparisons[i]
		c.OldN, c.NewN = 3, 3
		*c = untrusted(*c, diagnosis.FewForks, "old: 3 forks are too few for a 95 % interval", "use --forks 6 or more")
		c.Warnings = append(c.Warnings, result.Warning{Code: diagnosis.FewForks, Side: "new", Text: "3 forks are too few for a 95 % interval", Advice: "use --forks 6 or more"})
		if c.Unit == "ns/op" {
			c.Lo, c.Hi, c.Bound, c.Confidence, c.Verdict, c.ForksNeeded = 0, result.Number(math.Inf(1)), result.Number(math.Inf(1)), 0, undecided, 4
		}
	}
	s.Warnings = []result.Warning{{Code: diagnosis.NotInterleaved, Text: "the sides were measured in different runs"}}
	return s
}

func failedSides() *result.Result {
	s := compared()
	s.Results[5] = result.Benchmark{Pkg: "example.org/m/codec", Name: "Decode/size=1k", Procs: 2, Side: "new", ForksFailed: 2,
		Failed: "exit status 2: panic: runtime error: index out of range [1024] with length 1024, in every fork that was started for it", Tail: "panic: boom\n\ngoroutine 19 [running]:"}
	s.Comparisons = s.Comparisons[:6]
	s.Comparisons[0] = untrusted(s.Comparisons[0], diagnosis.Flaky, "new: 2 of 20 forks failed: exit status 1", "the figures cover the forks that passed; run the benchmark alone to see why others fail")
	s.Comparisons[0].NewN, s.Comparisons[1].NewN = 18, 18
	s.Results[3].Forks, s.Results[3].ForksFailed, s.Results[3].Rounds = 18, 2, 20
	for i := range s.Results[:4] {
		r := &s.Results[i]
		w := result.Warning{Code: diagnosis.Setup, Text: "start and set-up take 31 % of a fork", Advice: "use a longer --time"}
		r.Warnings = []result.Warning{w}
		w.Side = r.Side
		for j := range s.Comparisons {
			if c := &s.Comparisons[j]; c.Name == r.Name {
				c.Warnings = append(c.Warnings, w)
			}
		}
	}
	s.Results[3].Warnings = append(s.Results[3].Warnings, result.Warning{Code: diagnosis.Flaky, Text: "2 of 20 forks failed: exit status 1", Advice: "the figures cover the forks that passed; run the benchmark alone to see why others fail"})
	s.Results = append(s.Results, sideResult("new", "Decode/size=64k", 118_300))
	s.Warnings = []result.Warning{
		{Code: diagnosis.OneSide, Text: "old lacks Decode/size=64k, Fill"}, {Code: diagnosis.OneSide, Text: "new lacks Flush"},
		{Code: "busy", Text: "two other processes were busy"},
	}
	s.End = &record.End{State: record.EndPartial, Why: "interrupted after 20 of 40 rounds"}
	return s
}

// gatedSides has a gate that is missed, one that is not decided, and undecided rows.
func gatedSides() *result.Result {
	s := failedSides()
	states := []string{result.GateMissed, result.GateNotDecided, result.GateUndecided}
	for i, c := range s.Comparisons[:min(3, len(s.Comparisons))] {
		s.Gates = append(s.Gates, result.Gated{
			Gate: "slower:5%@.name:/<x>/", State: states[i], Pkg: c.Pkg, Name: c.Name, Procs: c.Procs, Role: c.Role, Side: c.Side, Unit: c.Unit, Text: "text",
		})
	}
	return s
}

func exactSides() *result.Result {
	instructions := counted("Encode/size=1k", "instructions/op", 4_812_345, 4_812_389)
	instructions.Main = true
	same := counted("Decode/size=1k", "instructions/op", 1200, 1200)
	same.Main = true
	fewer := counted("Frame", "instructions/op", 1200, 300)
	fewer.Main = true
	varies := against("Frame", "B/op", 20_480, 31_004, 1.31, 1.72, more)
	return comparing(
		instructions, counted("Encode/size=1k", "allocs/op", 0, 16), counted("Encode/size=1k", "heap-B", 3<<20, 2<<20),
		same, counted("Decode/size=1k", "allocs/op", 16, 0), fewer, varies, against("Frame", "allocs/op", 2.5, 2.6, 0.98, 1.1, undecided),
	)
}

func rateSides() *result.Result {
	rate := func(role string, old, new, lo, hi float64, verdict string) result.Comparison {
		c := against("SPSC/size=1024", "op/s", old, new, lo, hi, verdict)
		c.Pkg, c.Role, c.Main = "example.org/m/queue", role, true
		return c
	}
	hash := func(unit string, old, new, lo, hi float64, verdict string) result.Comparison {
		c := against("Hash8K", unit, old, new, lo, hi, verdict)
		c.Pkg = "crypto/sha256"
		return c
	}
	p99 := rate("producer", 0, 0, 0, 0, undecided)
	p99.Unit, p99.Main, p99.Old, p99.New, p99.Ratio, p99.Lo, p99.Hi, p99.Bound, p99.ForksNeeded = "p99-ns", false, 980, 1230, 1.25, 0.7, 2.4, 1.4, 4321
	return comparing(
		rate("producer", 7.04e7, 7.81e7, 1.07, 1.15, faster), p99, rate("consumer", 7.04e7, 6.31e7, 0.87, 0.92, slower),
		hash("ns/op", 4412, 4690, 1.05, 1.08, slower), hash("MB/s", 1856, 1746, 0.93, 0.95, slower),
	)
}

func hostileSides() *result.Result {
	s := hostile()
	var cs []result.Comparison
	verdicts := []string{faster, slower, equivalent, undecided, identical}
	for i, r := range s.Results {
		c := against(r.Name, "ns/op", 100, 103, 0.98, 1.09, verdicts[i%5])
		c.Pkg, c.Base, c.Side = r.Pkg, "old|side\x1b[2J with a long name", "*new* `x`\n</summary>"
		if i == 1 {
			c.Unit, c.Role = "my unit|/op", "a role"
		}
		if i != 4 {
			c = untrusted(c, "odd", c.Base+": name | `code` \x1b[2J <b>@all</b>\nsecond line", "rm -rf * _now_ → µ")
		}
		cs = append(cs, c)
		c.Unit, c.Main, c.Verdict = "strange unit|", false, more
		cs = append(cs, c)
	}
	for i := range s.Results {
		s.Results[i].Side = cs[0].Side
	}
	s.Comparisons = cs
	s.Run.Sides = []record.Side{{Name: cs[0].Base, Dir: "/tmp/\x1b[31m|dir"}, {Name: cs[0].Side, Flags: []string{"-gcflags=`|`"}}}
	s.Warnings = append(s.Warnings, result.Warning{Code: diagnosis.OneSide, Text: "*new* lacks \x1b[31m|<b>"})
	return s
}

// cornerSides covers the corners of rounding, units and verdicts.
func cornerSides() *result.Result {
	inf, nan := math.Inf(1), math.NaN()
	few := against("FewForks", "ns/op", 100, 130, 0, inf, undecided)
	few.Bound, few.ForksNeeded, few.OldN, few.NewN, few.Confidence = result.Number(inf), 4, 3, 3, 0
	none := against("Negative", "ns/op", -1, 1, nan, nan, undecided)
	none.Ratio, none.Bound, none.P, none.AdjustedP, none.ForksNeeded = result.Number(nan), result.Number(nan), result.Number(nan), result.Number(nan), 0
	by := against("Corrected", "ns/op", 100, 104, 1.004, 1.081, undecided)
	by.P, by.AdjustedP, by.ForksNeeded = 0.031, 0.0712, 21
	ties := against("Ties", "ns/op", 100, 104, 1.001, 1.081, undecided)
	ties.P, ties.AdjustedP = 0.0512, 0.0512
	alien := against("OtherUnit", "x/op", 1, 2, 1.9, 2.1, slower)
	return comparing(
		against("Narrow", "ns/op", 6821.71, 6822.31, 1.00006, 1.00011, slower),
		against("OnThreshold", "ns/op", 100, 101, 0.99, 1.03004, undecided),
		against("Wide", "ns/op", 100, 140, 0.61, 3.2, undecided),
		against("Doubled", "ns/op", 100, 200, 1.97, 2.04, slower),
		against("Thousandfold", "ns/op", 1.21e3, 1.5e6, 1201, 1275, slower),
		against("Millionfold", "ns/op", 1.21, 1.5e6, 1.19e6, 1.27e6, slower),
		against("Thousandth", "ns/op", 1.5e6, 1.81e3, 0.00118, 0.00124, faster),
		against("AcrossUnits", "ns/op", 998.3, 1007.2, 1.004, 1.012, equivalent),
		against("AcrossDigits", "ns/op", 99.3, 101.2, 1.012, 1.023, equivalent),
		against("FromZero", "ns/op", 0, 6.5, inf, inf, slower),
		against("Seconds", "ns/op", 1.53e9, 1.61e9, 1.02, 1.08, slower),
		against("Infinite", "ns/op", inf, inf, 0.9, 1.1, undecided),
		few, none, by, ties, alien,
	)
}

// manySides has 200 benchmarks, as a pull request may.
func manySides() *result.Result {
	var cs []result.Comparison
	for i := range 200 {
		name := fmt.Sprintf("Op%03d/size=%dk", i, 1<<(i%7))
		ns := 100 * math.Pow(1.05, float64(i))
		c := against(name, "ns/op", ns, ns*1.002, 0.985, 1.014, equivalent)
		switch {
		case i%50 == 7:
			c = against(name, "ns/op", ns, ns*0.91, 0.89, 0.935, faster)
		case i == 60:
			c = against(name, "ns/op", ns, ns*1.11, 1.07, 1.135, slower)
		case i%30 == 20:
			c = against(name, "ns/op", ns, ns*1.02, 0.98, 1.065, undecided)
		case i%20 == 3:
			c = against(name, "ns/op", ns, ns, 1, 1, identical)
		}
		c.Pkg = "example.org/m/" + strings.Split("codec queue cache", " ")[i/80]
		b := counted(name, "B/op", 64, 64)
		b.Pkg = c.Pkg
		cs = append(cs, c, b)
	}
	s := comparing(cs...)
	s.Geomeans = []result.Geomean{{Base: "old", Side: "new", Unit: "ns/op", N: 200, Ratio: 0.9991, Lo: 0.9962, Hi: 1.0021}}
	return s
}
