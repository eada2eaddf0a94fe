package toolchain_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// good are the benchmarks of testdata/kinds that end well.
const good = "^Benchmark(N|Loop|Empty|EmptyLoop|Parallel|Pauses|Window|Report|Override|Silent|Sub|Before|After|Child)$"

// TestKinds: each result that is printed is sent, and nothing else.
func TestKinds(t *testing.T) {
	b := deepKinds(t)
	for _, args := range [][]string{
		{"-test.benchtime=1x"},
		{"-test.benchtime=5ms", "-test.count=3", "-test.skip=Pauses|Child"},
		{"-test.benchtime=7x", "-test.cpu=1,2", "-test.count=2", "-test.skip=Child"},
		{"-test.benchtime=10x", "-test.v", "-test.shuffle=on", "-test.skip=Child"},
		{"-test.benchtime=100x", "-test.count=3", "-test.skip=Pauses|Child"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			if args[0] == "-test.benchtime=100x" {
				testutil.NeedLong(t, "another count of the same")
			}
			s := bench(t, b, good, args...)
			if s.exit != 0 || len(s.results) < 15 {
				t.Fatalf("exit %d\n%s", s.exit, s.text)
			}
			s.check(t)
			names := map[string]bool{}
			for _, m := range s.marks {
				names[m.Name] = true
			}
			for _, name := range []string{"Sub/n=1", "Sub/n=1#01", "Sub/a_b/c", "Sub/deeper/still"} {
				if !names[name] {
					t.Errorf("no marks of %s", name)
				}
			}
			if names["Main"] || names["Sub"] || names["Sub/deeper"] || names["After"] {
				t.Errorf("marks of what is no benchmark:\n%s", s.pipe)
			}
			if len(s.others) > 0 {
				t.Errorf("%v", s.others)
			}
		})
	}
}

// TestExact: allocations are not rounded, and the hooks make none.
func TestExact(t *testing.T) {
	s := bench(t, deepKinds(t), "^Benchmark(N|Loop|Empty|EmptyLoop|Override|Report|Silent)$", "-test.benchtime=3000x", "-test.count=3")
	s.check(t)
	for _, x := range s.samples {
		third, bytes := x.get("allocs/op"), x.get("B/op")
		switch x.end.Name {
		case "N", "Loop", "Report", "Silent":
			// The runtime itself may allocate a little while we measure.
			if third < 1.0/3 || third > 1.0/3+0.01 || bytes < 64.0/3 || bytes > 64.0/3+2 {
				t.Errorf("%s: %v allocs/op, %v B/op", x.end.Name, third, bytes)
			}
		case "Override":
			if third != 9.75 || bytes != 8.5 || x.get("ns/op") != 7.25 || x.get("MB/s") != 10.5 || x.get("gc-cycles") != 11.25 {
				t.Errorf("%+v", x.Sample)
			}
		}
	}
	for _, name := range []string{"Empty", "EmptyLoop"} {
		free := false
		for _, x := range s.of(name) {
			free = free || x.get("allocs/op") == 0 && x.get("B/op") == 0
		}
		if !free {
			t.Errorf("%s: allocations in each iteration\n%s", name, s.pipe)
		}
	}
	x := s.of("Report")[0]
	if x.get("x/op") != 1.5 || x.get(`"q\u`+"\x01ß\ufffd/op") != 1e-9 || !math.IsInf(x.get("inf"), 1) {
		t.Errorf("%+v", x.V)
	}
	if _, ok := x.V.Get("nan"); !ok {
		t.Errorf("no NaN: %+v", x.V)
	}
	if _, ok := s.of("Silent")[0].V.Get("ns/op"); ok {
		t.Error("a time that the benchmark took back")
	}
}

// TestCollections: cycles of the garbage collector count in the timed part only.
func TestCollections(t *testing.T) {
	s := bench(t, deepKinds(t), "^Benchmark(Pauses|Empty)$", "-test.benchtime=20x", "-test.count=2")
	s.check(t)
	for _, x := range s.of("Pauses") {
		if gc := x.get("gc-cycles"); gc != 20 {
			t.Errorf("%v cycles, want 20", gc)
		}
		if pause := x.get("gc-pause-ns"); pause <= 0 || pause > float64(x.Ns) {
			t.Errorf("paused for %v of %v ns", pause, x.Ns)
		}
		if x.end.T-x.begin.T <= x.Ns {
			t.Errorf("window of %d ns, of which %d timed, has no pauses", x.end.T-x.begin.T, x.Ns)
		}
	}
	for _, x := range s.of("Empty") {
		if x.get("gc-cycles") != 0 || x.get("gc-pause-ns") != 0 {
			t.Errorf("%+v", x.V)
		}
	}
}

// TestWindow: marks are on the clock that processes share, and tight.
func TestWindow(t *testing.T) {
	if _, ok := clock.Shared(); !ok {
		t.Skip("no shared clock")
	}
	before := clock.Now()
	s := bench(t, deepKinds(t), "^BenchmarkWindow$", "-test.benchtime=50x", "-test.count=3")
	after := clock.Now()
	s.check(t)
	const margin = int64(5 * time.Millisecond) // set-up and clean-up of each call
	last := before
	for _, m := range s.marks {
		if m.Ev == "begin" && m.T < last+margin {
			t.Errorf("window begins at %d, not 5 ms after %d", m.T, last)
		}
		if last = m.T; m.Ev == "end" {
			last += margin
		}
	}
	if len(s.marks) != 12 || last > after {
		t.Errorf("%d marks, the last window ends at %d, the process before %d", len(s.marks), last, after)
	}
	for _, x := range s.samples {
		if x.end.T-x.begin.T != x.Ns {
			t.Errorf("window of %d ns, %d timed without a pause", x.end.T-x.begin.T, x.Ns)
		}
	}
}

// TestByTime: only the first iteration by time guesses at N.
func TestByTime(t *testing.T) {
	s := bench(t, deepKinds(t), "^Benchmark(Calls|Target|Own|Grain)$", "-test.benchtime=20ms", "-test.count=4")
	s.check(t)
	if n := len(s.samples); n != 16 {
		t.Fatalf("%d samples\n%s", n, s.text)
	}
	// On a busy machine an iteration may come out much too short and be tried
	// again, so it is enough to see it once.
	for _, name := range []string{"Calls", "Target"} {
		xs := s.of(name)
		fewest, target := math.Inf(1), 0.0
		for i, x := range xs[1:] {
			fewest = min(fewest, x.get("calls")-xs[i].get("calls"))
			target = max(target, x.get("target"))
			if x.Ns < int64(10*time.Millisecond) || x.get("target") > float64(x.Ops) {
				t.Errorf("%s: iteration %d: %d operations in %d ns", name, x.Iter, x.Ops, x.Ns)
			}
		}
		if fewest != 1 || name == "Target" && target < 2 {
			t.Errorf("%s: iterations took %v calls at least, and began with up to %v operations\n%s", name, fewest, target, s.text)
		}
	}
	for _, x := range s.of("Own") { // has to be called as ever
		if x.Ops != 1000 || x.get("asked") != 1 || x.get("calls") != float64(x.Iter) {
			t.Errorf("%+v", x.Sample)
		}
	}
	warm := map[string]int{}
	for _, m := range s.marks {
		if m.Phase == record.PhaseWarmup {
			warm[fmt.Sprint(m.Name, m.Iter)]++
		}
	}
	if warm["Grain1"] < 2 || warm["Target1"]+warm["Own1"] > 0 {
		t.Errorf("marks of guesses: %v", warm)
	}
	for _, x := range s.of("Grain")[1:] {
		// 100 µs worth of operations of the iteration before
		if x.get("grain") < 100 {
			t.Errorf("goroutines took %v operations at once of %d in %d ns", x.get("grain"), x.Ops, x.Ns)
		}
	}
}

// TestByTimeProcs: what was found on one processor is no guide to two.
func TestByTimeProcs(t *testing.T) {
	s := bench(t, deepKinds(t), "^BenchmarkCalls$", "-test.benchtime=5ms", "-test.count=2", "-test.cpu=1,2")
	s.check(t)
	if len(s.samples) != 4 {
		t.Fatalf("%s\n%s", s.text, s.pipe)
	}
	if s.samples[2].get("ones") == s.samples[1].get("ones") {
		t.Errorf("N was not guessed anew\n%s", s.text)
	}
}

// TestFailures: a benchmark without a result has no sample, and samples of others are kept.
func TestFailures(t *testing.T) {
	b := deepKinds(t)
	for _, c := range []struct {
		re   string
		exit int
		says string
	}{
		{"^Benchmark(Empty|Skip|Loop)$", 0, ""},
		{"^Benchmark(Empty|Fatal|FatalLater|Error|ErrorLater|Loop)$", 1, "--- FAIL: BenchmarkFatalLater"},
		{"^Benchmark(Empty|Panic)$", 2, "panic: on purpose"},
		{"^Benchmark(Empty|Exit)$", 7, ""},
	} {
		s := bench(t, b, c.re, "-test.benchtime=10x", "-test.count=2")
		if s.exit != c.exit || !strings.Contains(s.text, c.says) {
			t.Errorf("%s: exit %d, want %d\n%s", c.re, s.exit, c.exit, s.text)
		}
		if len(s.of("Empty")) != 2 {
			t.Errorf("%s:\n%s", c.re, s.pipe)
		}
		s.check(t)
	}
	// testing prints a line of no operations for this one.
	if s := bench(t, b, "^Benchmark(Empty|SkipLater)$", "-test.benchtime=10x"); len(s.samples) != 1 || s.samples[0].end.Name != "Empty" {
		t.Errorf("%s\n%s", s.text, s.pipe)
	}
	s := run(t, b, []string{"KINDS_EXIT=1"}, "-test.bench=^BenchmarkEmpty$", "-test.benchtime=10x", "-test.run=TestBenchmark")
	if s.exit != 0 || len(s.samples) != 1 || !strings.Contains(s.text, "by hand: true") {
		t.Errorf("exit %d\n%s\n%s", s.exit, s.text, s.pipe)
	}
}

// TestPlainTraces: line numbers are those of the toolchain.
func TestPlainTraces(t *testing.T) {
	trace := func(s said) (lines []string) {
		for line := range strings.Lines(s.text) {
			if i := strings.Index(line, "testing/"); i >= 0 {
				at, _, _ := strings.Cut(line[i:], " ")
				lines = append(lines, at)
			}
		}
		return lines
	}
	deep := trace(bench(t, deepKinds(t), "^BenchmarkStack$", "-test.benchtime=2x"))
	plain := trace(bench(t, plainKinds(t), "^BenchmarkStack$", "-test.benchtime=2x"))
	if len(plain) < 2 || fmt.Sprint(deep) != fmt.Sprint(plain) {
		t.Errorf("deep  %q\nplain %q", deep, plain)
	}
}

// TestWithoutPipe: without a pipe the binary is as any other.
func TestWithoutPipe(t *testing.T) {
	b := deepKinds(t)
	for _, env := range []string{"TARE_FD=", "TARE_FD=x", "TARE_FD=1", "TARE_FD=9", "TARE_FD=-1"} {
		s := run(t, b, []string{env}, "-test.run=^$", "-test.bench=^Benchmark(Loop|Calls)$", "-test.benchtime=3ms", "-test.count=2")
		if s.exit != 0 || s.pipe != "" || len(s.results) != 4 || strings.Contains(s.text, `"k"`) {
			t.Errorf("%s: exit %d, %q\n%s", env, s.exit, s.pipe, s.text)
		}
		if s.results[3].v["ones"] != 2 { // once in each iteration
			t.Errorf("%s: N was not guessed as ever\n%s", env, s.text)
		}
	}
	if out, err := os.ReadDir(b.Dir); err != nil || len(out) != 2 {
		t.Errorf("left in %s: %v %v", b.Dir, out, err)
	}
}
