package fork

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// readAll parses the output of one process. The first line arrives at 1000, and one line
// every microsecond after it.
func readAll(p parser, text string) output {
	o := output{parser: p}
	now := int64(1000)
	for l := range strings.Lines(text) {
		o.add([]byte(l), now)
		now += 1000
	}
	o.flush()
	return o
}

// show is a result as a line: name, n and values.
func (m benchResult) show() string {
	s := fmt.Sprintf("%s %d", m.name, m.n)
	for _, v := range m.v {
		s += fmt.Sprintf(" %g %s", v.Value, v.Unit)
	}
	return s
}

// TestParse reads what go test -bench really prints, with a tab as ⇥.
func TestParse(t *testing.T) {
	for _, test := range []struct {
		name, text string
		procs      int // 2 if 0
		verbose    bool
		want       printed // results by their show
		results    []string
	}{
		{
			name: "usual", results: []string{"BenchmarkSort-2 500 6823 ns/op 16 B/op 1 allocs/op", "BenchmarkSort-2 500 6790 ns/op 16 B/op 1 allocs/op"},
			text: `goos: linux
goarch: amd64
pkg: sort
cpu: AMD EPYC
BenchmarkSort-2   ⇥     500⇥      6823 ns/op⇥      16 B/op⇥       1 allocs/op
BenchmarkSort-2   ⇥     500⇥      6790 ns/op⇥      16 B/op⇥       1 allocs/op
PASS
`, want: printed{current: "Sort", ended: true},
		}, {
			name: "one processor", procs: 1, results: []string{"BenchmarkSort 500 0.25 ns/op", "BenchmarkA-2 1 7 ns/op"},
			text: "BenchmarkSort   ⇥     500⇥         0.2500 ns/op\nBenchmarkA-2 ⇥       1⇥         7.000 ns/op\nPASS\n", want: printed{current: "A-2", ended: true},
		}, {
			name: "metrics", results: []string{"BenchmarkTalk-2 1 55883 ns/op 18.32 MB/s 1.5 µ/x:y 1568 B/op 16 allocs/op"},
			text: "BenchmarkTalk-2   ⇥       1⇥     55883 ns/op⇥  18.32 MB/s⇥         1.500 µ/x:y⇥    1568 B/op⇥      16 allocs/op\nPASS\n", want: printed{current: "Talk", ended: true},
		}, {
			name: "no time, a fast one, a huge count", results: []string{"BenchmarkA-2 1 0 B/op 0 allocs/op", "BenchmarkB-2 1000000000 1e-07 ns/op"},
			text: "BenchmarkA-2 ⇥       1⇥       0 B/op⇥       0 allocs/op\nBenchmarkB-2 ⇥1000000000⇥         0.0000001 ns/op\n", want: printed{current: "B"},
		}, {
			name: "not finite", results: []string{"BenchmarkInfinite-2 1 1833 ns/op 1e+300 big +Inf inf NaN nan -Inf neg"},
			text: "BenchmarkInfinite-2   ⇥       1⇥      1833 ns/op⇥1" + strings.Repeat("0", 300) + " big⇥      +Inf inf⇥               NaN nan⇥      -Inf neg\nPASS\n",
			want: printed{current: "Infinite", ended: true},
		}, {
			name: "units that benchfmt tidies", results: []string{"BenchmarkU-2 10 3 ns/op 2 MB/s 5 x-ns 7 ns/GC 9 sec/op 11 bytes 13 KiB"},
			text: "BenchmarkU-2 ⇥      10⇥         3.000 ns/op⇥   2.00 MB/s⇥         5.000 x-ns⇥         7.000 ns/GC⇥         9.000 sec/op⇥        11.00 bytes⇥        13.00 KiB\n", want: printed{current: "U"},
		}, {
			name: "logs", results: []string{"BenchmarkTalk-2 1 5 ns/op", "BenchmarkTalk-2 1 6 ns/op"},
			text: `BenchmarkTalk-2   ⇥       1⇥         5.000 ns/op
--- BENCH: BenchmarkTalk-2
    print_test.go:29: BenchmarkLogged ⇥ 100⇥ 5 ns/op
    print_test.go:29: 7 ns/op
        and BenchmarkMore
	... [output truncated]
BenchmarkTalk-2   ⇥       1⇥         6.000 ns/op
PASS
`, want: printed{current: "Talk", ended: true},
		}, {
			name: "rubbish without a newline", results: []string{"BenchmarkDots/1-2 1 7 ns/op", "BenchmarkDots/Benchmark3-2 1 8 ns/op", "BenchmarkDots/4-2 100 9 ns/op"},
			text: "...42 donegoos: linux\n...42 doneBenchmarkDots/1-2 ⇥       1⇥         7.000 ns/op\n" +
				"...42 doneBenchmarkDots/Benchmark3-2         ⇥...7.5 x 42 done       1⇥         8.000 ns/op\n" +
				"BenchmarkDots/4-2 ⇥seed: 7      100⇥         9.000 ns/op\n...PASS\n", want: printed{current: "Dots/4", ended: true},
		}, {
			name: "rubbish lines in between", results: []string{"BenchmarkA-2 100 5 ns/op", "BenchmarkA-2 100 6 ns/op"},
			text: "BenchmarkA-2 ⇥2026/01/02 03:04:05 starting\nseed: 7⇥9\nBenchmarking with 12 workers\nBenchmark 12: 100 ns/op\n" +
				"time per Benchmark: 100⇥\nsee BenchmarkOther\n     100⇥         5.000 ns/op\nBenchmarkA-2 ⇥\n\n     100⇥         6.000 ns/op\n", want: printed{current: "A"},
		}, {
			name: "CRLF", results: []string{"BenchmarkA-2 100 5 ns/op"},
			text: "BenchmarkA-2 ⇥     100⇥         5.000 ns/op\r\nPASS\r\n", want: printed{current: "A", ended: true},
		}, {
			name: "no newline at the end", results: []string{"BenchmarkA-2 100 5 ns/op"},
			text: "BenchmarkA-2 ⇥     100⇥         5.000 ns/op", want: printed{current: "A"},
		}, {
			name: "a long line", results: []string{"BenchmarkLong-2 100 5 ns/op"},
			text: "BenchmarkLong-2 ⇥" + strings.Repeat("x", 3*maxLine) + "     100⇥         5.000 ns/op\n", want: printed{current: "Long"},
		}, {
			name: "results of others", results: []string{"BenchmarkOther-2 100 5 ns/op", "BenchmarkOther-2 7 8 ns/op", "BenchmarkElse 9 1 x"},
			text: "BenchmarkA-2 ⇥\nBenchmarkOther-2 ⇥ 100⇥ 5 ns/op\n       7⇥         8.000 ns/op\nBenchmarkElse ⇥9⇥1 x\n", want: printed{current: "Else", running: false},
		}, {
			name: "figures before any name",
			text: "     100⇥         5.000 ns/op\nPASS\n", want: printed{ended: true},
		}, {
			name: "not quite a result",
			text: "BenchmarkA-2 ⇥     100⇥\n100\n100⇥5\n100⇥5 ns/op x\nx100⇥\n1.5⇥5 ns/op \n99999999999999999999⇥5 ns/op\n100⇥1e999 ns/op\n100⇥5 ns/op 6\n", want: printed{current: "A", running: true},
		}, {
			name: "names", results: []string{"BenchmarkA/[a]|(b)*$/#01-2 1 5 ns/op", "Benchmark-2 1 5 ns/op", "Benchmark世界/日本-2 1 5 ns/op", `BenchmarkB/---_FAIL:_BenchmarkX\x00-2 1 5 ns/op`, "Benchmark_/-2-2 1 5 ns/op"},
			text: "BenchmarkA/[a]|(b)*$/#01-2 ⇥       1⇥         5.000 ns/op\nBenchmark-2     ⇥       1⇥         5.000 ns/op\nBenchmark世界/日本-2 ⇥       1⇥         5.000 ns/op\n" +
				`BenchmarkB/---_FAIL:_BenchmarkX\x00-2 ⇥       1⇥         5.000 ns/op` + "\nBenchmark_/-2-2 ⇥       1⇥         5.000 ns/op\n", want: printed{current: "_/-2"},
		}, {
			name: "a panic whose message begins with a line break",
			text: "BenchmarkA-2 ⇥panic: \n\t\n\tno good\n\tnot at all\n\ngoroutine 7 [running]:\n", want: printed{current: "A", running: true, panic: "panic: no good", panicCertain: true},
		}, {
			name: "a panic without a message",
			text: "BenchmarkA-2 ⇥panic: \n\ngoroutine 7 [running]:\nmain.f()\n", want: printed{current: "A", running: true, panic: "panic:", panicCertain: true},
		}, {
			name: "a log that begins with a line break",
			text: "--- FAIL: BenchmarkA-2\n    die_test.go:70: \n        \n        no good\n        not at all\nFAIL\n",
			want: printed{ended: true, failed: []failure{{"A-2", "die_test.go:70: no good"}}},
		}, {
			name: "fails at once", results: []string{"BenchmarkFailC/1-2 1 601 ns/op", "BenchmarkFailC/4-2 1 500 ns/op"},
			text: `BenchmarkFailC/1-2 ⇥       1⇥       601.0 ns/op
--- FAIL: BenchmarkFailC/2
    die_test.go:69: a hint
    die_test.go:70: no good,
        not at all
--- FAIL: BenchmarkFailC/3
BenchmarkFailC/4-2 ⇥       1⇥       500.0 ns/op
    die_test.go:71: this is something else
--- FAIL: BenchmarkFailC
FAIL
`, want: printed{current: "FailC/4", ended: true, failed: []failure{{"FailC/2", "die_test.go:70: no good,"}, {"FailC/3", ""}}},
		}, {
			name: "fails later", text: `BenchmarkFailLate-2   ⇥--- FAIL: BenchmarkFailLate-2
    die_test.go:89: at N above 1
BenchmarkFailLate-2   ⇥rubbish
--- FAIL: BenchmarkFailLate-2
FAIL
`, want: printed{current: "FailLate", ended: true, failed: []failure{{"FailLate", "die_test.go:89: at N above 1"}}},
		}, {
			name: "-procs or name", results: []string{"BenchmarkSuffix/ok-2-2 1 711 ns/op"}, text: `BenchmarkSuffix/ok-2-2         ⇥       1⇥       711.0 ns/op
...--- FAIL: BenchmarkSuffix/bad-2
    die_test.go:96: bad
BenchmarkSuffix/late-2-2 ⇥--- FAIL: BenchmarkSuffix/late-2-2
--- FAIL: BenchmarkSuffix
`, want: printed{current: "Suffix/late-2", failed: []failure{{"Suffix/bad-2", "die_test.go:96: bad"}, {"Suffix/late-2", ""}}},
		}, {
			name: "fails, verbose", verbose: true, results: []string{"BenchmarkFailC/1-2 1 571 ns/op", "BenchmarkFailC/b-2-2 1 380 ns/op"}, text: `BenchmarkFailC
BenchmarkFailC/1
...BenchmarkFailC/1-2 ⇥       1⇥       571.0 ns/op
BenchmarkFailC/2
    die_test.go:70: see BenchmarkFailC
    die_test.go:70: no good
--- FAIL: BenchmarkFailC/2
...BenchmarkFailC/a-2
--- FAIL: BenchmarkFailC/a-2
BenchmarkFailC/b-2
BenchmarkFailC/b-2-2 ⇥       1⇥       380.0 ns/op
BenchmarkFailC/late-2
    die_test.go:71: at N above 1
--- FAIL: BenchmarkFailC/late-2-2
BenchmarkFailC/s
--- SKIP: BenchmarkFailC/s
--- FAIL: BenchmarkFailC
FAIL
`, want: printed{
				current: "FailC/s", ended: true, names: []string{"FailC", "FailC/1", "FailC/2", "FailC/a-2", "FailC/b-2", "FailC/late-2", "FailC/s"},
				failed: []failure{{"FailC/2", "die_test.go:70: no good"}, {"FailC/a-2", ""}, {"FailC/late-2", "die_test.go:71: at N above 1"}},
			},
		}, {
			name: "panics, verbose", verbose: true, results: []string{"BenchmarkP/1-2 1 5 ns/op"}, text: `BenchmarkP
BenchmarkP/1
BenchmarkP/1-2 ⇥       1⇥         5.000 ns/op
BenchmarkP/2
panic: first [recovered]
	panic: second

goroutine 18 [running]:
hostile.BenchmarkP.func1
hostile.BenchmarkP
`, want: printed{current: "P/2", running: true, panic: "panic: first [recovered]", panicCertain: true, names: []string{"P", "P/1", "P/2"}},
		}, {
			name: "panics after its name", text: `BenchmarkPanicLate-2   ⇥panic: N is 5
BenchmarkPanicLate-2   ⇥       0⇥               NaN ns/op

goroutine 24 [running]:
hostile.BenchmarkPanicLate(0x217db53fc308?)
⇥hostile/die_test.go:15 +0x78
`, want: printed{current: "PanicLate", panic: "panic: N is 5", panicCertain: true, didNotReturn: []string{"PanicLate"}},
		}, {
			name: "figures in the line of the panic", text: "BenchmarkA-2   ⇥panic: N is 5       0⇥               NaN ns/op⇥       0 B/op⇥       0 allocs/op\n\ngoroutine 24 [running]:\n",
			want: printed{current: "A", panic: "panic: N is 5", panicCertain: true, didNotReturn: []string{"A"}},
		}, {
			name: "mentions a panic, then does", text: "BenchmarkA-2 ⇥recovered from panic: nothing\nfatal error: concurrent map writes\npanic: later\n",
			want: printed{current: "A", running: true, panic: "fatal error: concurrent map writes", panicCertain: true},
		}, {
			name: "mentions a panic", text: "BenchmarkA-2 ⇥recovered from panic: nothing\n\tpanic: again\n",
			want: printed{current: "A", running: true, panic: "panic: nothing"},
		}, {
			name: "PASS is not the end", results: []string{"BenchmarkB-2 1 5 ns/op"}, text: "BenchmarkA-2 ⇥all PASS\nBenchmarkB-2 ⇥       1⇥         5.000 ns/op\n", want: printed{current: "B"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.procs == 0 {
				test.procs = 2
			}
			o := readAll(parser{procs: test.procs, verbose: test.verbose}, strings.ReplaceAll(test.text, "⇥", "\t"))
			got := o.done()
			var results []string
			for _, r := range got.results {
				results = append(results, r.show())
			}
			got.results = nil
			if !slices.Equal(results, test.results) {
				t.Errorf("results\n  %s\nwant\n  %s", strings.Join(results, "\n  "), strings.Join(test.results, "\n  "))
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

// TestParseStamps: a result has the time at which its line was complete.
func TestParseStamps(t *testing.T) {
	o := output{parser: parser{procs: 1}}
	o.add([]byte("BenchmarkA \t"), 5)
	o.add([]byte("   100\t   5.000 ns/op"), 7)
	o.add([]byte("\nBenchmarkA \t   100\t   6.000 ns/op\n"), 9)
	o.flush()
	if rs := o.done().results; len(rs) != 2 || rs[0].t != 9 || rs[1].t != 9 {
		t.Errorf("%+v", rs)
	}
}

// TestParseBounds: what is kept is bounded, and what is not kept is counted.
func TestParseBounds(t *testing.T) {
	steps := 0
	o := output{parser: parser{procs: 1, limit: 3, onStep: func() { steps++ }}}
	o.steps = maxSteps - 7
	for range maxFailed + 5 {
		o.add([]byte("BenchmarkA \t   100\t   5.000 ns/op\n--- FAIL: BenchmarkA/x\n"), 1)
	}
	p := o.done()
	if len(p.results) != 3 || p.extra != maxFailed+2 || len(o.failed) != maxFailed || steps != 7 {
		t.Errorf("%d results, %d extra, %d failures, %d steps", len(p.results), p.extra, len(o.failed), steps)
	}
	o = output{parser: parser{procs: 1, verbose: true}}
	o.names = make([]string, maxResults-2)
	o.results = make([]benchResult, maxResults-2)
	for range 5 {
		o.add([]byte("BenchmarkA\nBenchmarkA \t   100\t   5.000 ns/op\n"), 1)
	}
	if len(o.names) != maxResults || len(o.results) != maxResults || o.extra != 3 {
		t.Errorf("%d names, %d results, %d extra", len(o.names), len(o.results), o.extra)
	}
}

func TestLeaves(t *testing.T) {
	for _, test := range []struct{ names, want string }{
		{"", ""},
		{"A", "A"},
		{"A/b A", "A/b"},
		{"A/b/c A/b A", "A/b/c"},
		{"A/b A/c A B", "A/b A/c B"},
		{"A A A", "A"},
		{"A/b A/b A", "A/b"},
		{"A Ab A/", "Ab A/"},
		{"A-2 A/b-2", "A-2 A/b-2"}, // names have no -procs here
		{"A/b/c A/x", "A/b/c A/x"},
	} {
		var fs []failure
		for _, n := range strings.Fields(test.names) {
			fs = append(fs, failure{name: n, why: n})
		}
		var got []string
		for _, f := range leaves(fs) {
			got = append(got, f.name)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: got %s, want %s", test.names, got, test.want)
		}
	}
}

func TestSamples(t *testing.T) {
	v := func(ns float64) record.Values { return record.Values{{Unit: "ns/op", Value: ns}} }
	inf := math.Inf(1)
	got := samples(9, []benchResult{
		{name: "B", n: 10, v: v(2.5), t: 150}, {name: "B", n: 10, v: v(3), t: 200}, {name: "B", n: 20, v: record.Values{{Unit: "x", Value: 1}}, t: 200},
		{name: "B", n: 10, v: v(math.NaN()), t: 300}, {name: "B", n: 10, v: v(inf), t: 310}, {name: "B", n: 10, v: v(-1), t: 320}, {name: "B", n: 3, v: v(0.5), t: 399},
	}, 2, 100, 330) // the last was read after the end
	want := []record.Sample{
		{Fork: 9, Iter: 1, Phase: "warmup", T: 150, Wall: 50, Ns: 25, Ops: 10, V: v(2.5)},
		{Fork: 9, Iter: 2, Phase: "warmup", T: 200, Wall: 50, Ns: 30, Ops: 10, V: v(3)},
		{Fork: 9, Iter: 3, Phase: "measure", T: 200, Wall: 0, Ns: 0, Ops: 20, V: record.Values{{Unit: "x", Value: 1}}},
		{Fork: 9, Iter: 4, Phase: "measure", T: 300, Wall: 100, Ops: 10},
		{Fork: 9, Iter: 5, Phase: "measure", T: 310, Wall: 10, Ops: 10, V: v(inf)},
		{Fork: 9, Iter: 6, Phase: "measure", T: 320, Wall: 10, Ops: 10, V: v(-1)},
		{Fork: 9, Iter: 7, Phase: "measure", T: 330, Wall: 10, Ns: 2, Ops: 3, V: v(0.5)}, // rounded
	}
	if len(got) != len(want) {
		t.Fatalf("%d samples", len(got))
	}
	for i, s := range got {
		if i == 3 { // NaN equals nothing
			s.V = nil
		}
		if !reflect.DeepEqual(*s, want[i]) {
			t.Errorf("%d: got %+v, want %+v", i, *s, want[i])
		}
	}
	if samples(1, nil, 1, 0, 9) != nil {
		t.Error("samples of nothing")
	}
}

func TestSetup(t *testing.T) {
	for _, test := range []struct {
		copyWallTimes []int64
		want          int64
	}{
		{nil, 0}, {[]int64{9}, 0}, {[]int64{9, 5}, 4}, {[]int64{9, 5, 3, 7}, 6}, {[]int64{5, 9}, 0}, {[]int64{5, 5}, 0},
		{[]int64{300, 0, 0}, 50}, // read long after the fork's end
	} {
		var ss []*record.Sample
		for _, w := range test.copyWallTimes {
			ss = append(ss, &record.Sample{Wall: w})
		}
		if got := setup(ss, 50); got != test.want {
			t.Errorf("%v: got %d, want %d", test.copyWallTimes, got, test.want)
		}
	}
}

// TestSetupWaited: run delay during the start does not count as set-up, also if another thread had a processor all the
// time.
func TestSetupWaited(t *testing.T) {
	ss := []*record.Sample{{Wall: 90, CPU: 110, Delay: 55}, {Wall: 20, CPU: 20}, {Wall: 25, CPU: 20, Delay: 5}}
	if got := setup(ss, 1000); got != 15 {
		t.Errorf("got %d, want 15: 90 less 55 of waiting, less 20 of an iteration", got)
	}
	ss[1].Batched = true
	if got := setup(ss, 1000); got != 15 {
		t.Errorf("got %d, want 15: the second result arrived with another one", got)
	}
	ss[0].Batched = true
	if got := setup(ss, 1000); got != 0 {
		t.Errorf("got %d, want 0: the first result arrived with the second", got)
	}
	ss[0].Batched, ss[1].Batched, ss[0].Delay = false, false, 500 // summed over threads
	if got := setup(ss, 1000); got != 0 {
		t.Errorf("got %d, want 0", got)
	}
}
