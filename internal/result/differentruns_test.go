package result

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// recordOfRun is the record of a run of one benchmark: ns/op, and the units of more. Its forks have so many iterations.
type recordOfRun struct {
	ns, half, lost float64
	cpu            string
	iterations     int
	l3             float64
	more           record.Values
	change         func(*record.Run, *record.Case)
	lines          []record.Line
}

func (x recordOfRun) builder() *Builder {
	b := NewBuilder()
	run := &record.Run{Version: 1, Config: record.Config{Forks: 10, Confidence: 0.95, Test: record.TestSavage, Iterations: x.iterations, Time: 50 * time.Millisecond}, Env: record.Env{CPU: x.cpu}}
	c := &record.Case{ID: 1, Pkg: "p", Name: "X", Bin: 1, Mode: record.ModeN, N: 100_000}
	if x.change != nil {
		x.change(run, c)
	}
	b.Add(run)
	b.Add(c)
	for i := 1; i <= 10; i++ {
		if x.l3 > 0 {
			b.Add(&record.Reference{Round: i, Loops: []record.ReferenceLoop{{Name: "l3", Min: x.l3, Median: 2 * x.l3}}})
		}
		for j := range x.iterations {
			f := 1 + 0.002*float64((i+3*j)%5)
			v := record.Values{{Unit: "ns/op", Value: x.ns * f}}
			for _, m := range x.more {
				v = append(v, record.Value{Unit: m.Unit, Value: m.Value * f})
			}
			b.Add(&record.Sample{Fork: i, Iter: j + 1, Phase: record.PhaseMeasure, Ns: int64(1e5 * x.ns * f), Ops: 100_000, Wall: int64(1.1e5 * x.ns * f), V: v})
		}
		b.Add(&record.Fork{ID: i, Case: 1, Bin: 1, Round: i, Order: i, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 1e9, Lost: &x.lost, Starved: x.lost > 0.1})
	}
	b.Add(&record.AnotherRun{Case: 1, Half: x.half, Confidence: 0.95, Runs: 9, Seen: 9})
	for _, l := range x.lines {
		b.Add(l)
	}
	return b
}

// compareRuns compares records that become the sides old, new, new2 …
func compareRuns(t *testing.T, records ...recordOfRun) *Result {
	t.Helper()
	all := NewBuilder()
	for i, x := range records {
		name := "old"
		if i > 0 {
			name = strings.TrimSuffix(fmt.Sprint("new", i), "1")
		}
		if x.cpu == "" {
			x.cpu = "a"
		}
		if x.iterations == 0 {
			x.iterations = 2
		}
		must(t, all.Absorb(x.builder(), name))
	}
	return all.Result()
}

// TestDifferentRuns: sides of two runs are judged by what two runs on their machine may differ by.
func TestDifferentRuns(t *testing.T) {
	for what, tt := range map[string]struct {
		ratio, old, new float64
		cpu             string
		verdict         stat.Verdict
		trusted         bool
		note            bool
	}{
		"larger than runs differ": {1.3, 0.1, 0.1, "a", stat.Slower, true, false},
		"smaller":                 {1.05, 0.1, 0.1, "a", stat.Undecided, true, true},
		"one run is less certain": {1.3, 0.1, 0.4, "a", stat.Undecided, true, true},
		"not known for one":       {1.3, 0.1, 0, "a", stat.Slower, false, false},
		"equal, as runs are":      {1.001, 0.01, 0.01, "a", stat.Equivalent, true, false},
		"equal, but runs differ":  {1.001, 0.1, 0.1, "a", stat.Undecided, true, true},
		"another machine":         {1.3, 0.1, 0.1, "b", stat.Slower, false, false},
	} {
		t.Run(what, func(t *testing.T) {
			c := compareRuns(t, recordOfRun{ns: 100, half: tt.old}, recordOfRun{ns: 100 * tt.ratio, half: tt.new, cpu: tt.cpu}).Comparisons[0]
			note := slices.ContainsFunc(c.Warnings, func(w Warning) bool { return w.Code == diagnosis.MadeApart })
			if c.Verdict != string(tt.verdict) || c.Trusted != tt.trusted || note != tt.note {
				t.Errorf("%s, trusted %v %v, note %v, %v … %v", c.Verdict, c.Trusted, c.Reasons, note, c.Lo, c.Hi)
			}
			if want := math.Log(float64(c.Hi / c.Ratio)); c.RunDifference > 0 && want < max(tt.old, tt.new)-1e-9 {
				t.Errorf("half-width %v", want)
			}
			rows := []Comparison{c}
			if Correct(rows, stat.Holm); rows[0].Verdict != c.Verdict {
				t.Errorf("judged anew: %s", rows[0].Verdict)
			}
		})
	}
}

// TestDifferentRunsUnlikeConditions: what runs under like conditions differ by says nothing about a calm run and a
// busy one.
func TestDifferentRunsUnlikeConditions(t *testing.T) {
	calm := recordOfRun{ns: 100, half: 0.1, lost: 0.01, l3: 17}
	for what, tt := range map[string]struct {
		new  recordOfRun
		text string // of the warning
	}{
		"alike":           {recordOfRun{lost: 0.03, l3: 20}, ""},
		"disturbed":       {recordOfRun{lost: 0.4, l3: 17}, "new was not measured under the conditions of old: its forks lost 40 % of their time to others, against 1.0 %"},
		"memory was busy": {recordOfRun{lost: 0.01, l3: 130}, "new was not measured under the conditions of old: loads from the last-level cache took 130 ns, against 17 ns"},
		"loops not known": {recordOfRun{lost: 0.01}, ""},
	} {
		t.Run(what, func(t *testing.T) {
			tt.new.ns, tt.new.half = 150, 0.1
			r := compareRuns(t, calm, tt.new)
			c, got := r.Comparisons[0], texts(r.Warnings, diagnosis.UnlikeConditions)
			if tt.text == "" && (len(got) > 0 || c.RunDifference != 0.1 || !c.Trusted) {
				t.Errorf("%q, difference %v, trusted %v %v", got, c.RunDifference, c.Trusted, c.Reasons)
			}
			if tt.text != "" && (len(got) != 1 || !strings.HasPrefix(got[0], tt.text) || c.RunDifference != 0 || c.Trusted || !slices.Contains(c.Reasons, diagnosis.UnlikeConditions) || !slices.Contains(c.Reasons, diagnosis.NotInterleaved)) {
				t.Errorf("%q, difference %v, trusted %v %v", got, c.RunDifference, c.Trusted, c.Reasons)
			}
		})
	}
}

// TestDifferentRunsUnits: the log of runs has the main unit. Rates that are computed from it move as it does, others
// need not.
func TestDifferentRunsUnits(t *testing.T) {
	more := record.Values{{Unit: "MB/s", Value: 50}, {Unit: "p99-ns", Value: 900}, {Unit: "req/s", Value: 7}}
	slower := slices.Clone(more)
	for i := range slower {
		slower[i].Value *= 1.5
	}
	r := compareRuns(t, recordOfRun{ns: 100, half: 0.1, more: more}, recordOfRun{ns: 150, half: 0.1, more: slower})
	if len(r.Comparisons) != 4 {
		t.Fatalf("%d rows", len(r.Comparisons))
	}
	for _, c := range r.Comparisons {
		known := c.Unit == "ns/op" || c.Unit == "MB/s"
		if (c.RunDifference > 0) != known || c.Trusted != known || slices.Contains(c.Reasons, diagnosis.NotInterleaved) == known {
			t.Errorf("%s: difference %v, trusted %v %v", c.Unit, c.RunDifference, c.Trusted, c.Reasons)
		}
	}
}

// TestDifferentRunsConfidence: an interval for another run at 95 % says nothing at 99 %.
func TestDifferentRunsConfidence(t *testing.T) {
	all := NewBuilder()
	for i, name := range []string{"old", "new"} {
		must(t, all.Absorb(recordOfRun{ns: 100 + 50*float64(i), half: 0.1, cpu: "a", iterations: 2}.builder(), name))
	}
	all.Judge(Judgement{Confidence: 0.99})
	if c := all.Result().Comparisons[0]; c.RunDifference != 0 || c.Trusted {
		t.Errorf("difference %v, trusted %v", c.RunDifference, c.Trusted)
	}
}

// TestAbsorbedRunWarnings: what a record says of its run is said of its side, and takes the trust from that side's
// rows.
func TestAbsorbedRunWarnings(t *testing.T) {
	warned := func(code, text string) []record.Line {
		return []record.Line{&record.Warn{About: record.AboutRun, Code: code, Text: text, Advice: "advice"}}
	}
	for _, code := range []string{diagnosis.NotAlone, "resumed-elsewhere", diagnosis.RepeatedForks, "busy-memory", "slow-processor"} {
		r := compareRuns(t, recordOfRun{ns: 100, half: 0.01}, recordOfRun{ns: 150, half: 0.01}, recordOfRun{ns: 150, half: 0.01, lines: warned(code, "its text")})
		var said []Warning
		for _, w := range r.Warnings {
			if w.Code == code {
				said = append(said, w)
			}
		}
		want := diagnosis.Read(*warned(code, "its text")[0].(*record.Warn)).Text
		if len(said) != 1 || said[0].Side != "new2" || said[0].Text != want {
			t.Errorf("%s: %+v", code, said)
		}
		suspect := diagnosis.Of(code).Trust > diagnosis.Nothing
		if first, second := r.Comparisons[0], r.Comparisons[1]; !first.Trusted || second.Trusted == suspect || slices.Contains(second.Reasons, code) != suspect {
			t.Errorf("%s: trusted %v %v, %v %v", code, first.Trusted, first.Reasons, second.Trusted, second.Reasons)
		}
	}
	base := compareRuns(t, recordOfRun{ns: 100, half: 0.01, lines: warned(diagnosis.NotAlone, "its text")}, recordOfRun{ns: 150, half: 0.01})
	if c := base.Comparisons[0]; c.Trusted {
		t.Errorf("a base that was not alone is trusted: %+v", base.Warnings)
	}
	stolen := compareRuns(t, recordOfRun{ns: 100, half: 0.01}, recordOfRun{ns: 150, half: 0.01}, recordOfRun{ns: 150, half: 0.01, lines: []record.Line{&record.Overhead{Steal: 0.1}}})
	if c := stolen.Comparisons; !c[0].Trusted || c[1].Trusted || len(texts(stolen.Warnings, diagnosis.Steal)) != 1 {
		t.Errorf("steal: %v %v, %+v", c[0].Reasons, c[1].Reasons, stolen.Warnings)
	}
}

// TestAbsorbPlans: what differs between the plans of two records is named, and their verdicts are not trusted.
func TestAbsorbPlans(t *testing.T) {
	for want, change := range map[string]func(*record.Run, *record.Case){
		"": nil,
		"hooks in package testing yes against no":   func(r *record.Run, _ *record.Case) { r.Config.Deep = true },
		"environment of the forks A=b against none": func(r *record.Run, _ *record.Case) { r.Config.Setenv = []string{"A=b"} },
		"--benchtime 100x against none":             func(r *record.Run, _ *record.Case) { r.Config.Benchtime = "100x" },
		"--no-priority yes against no":              func(r *record.Run, _ *record.Case) { r.Config.NoPriority = true },
		"build tags a b against none":               func(r *record.Run, _ *record.Case) { r.Config.Tags = "b,a" },
		"iterations per fork 3 against 2":           func(r *record.Run, _ *record.Case) { r.Config.Iterations = 3 },
		"iterations of warm-up 1 against none":      func(r *record.Run, _ *record.Case) { r.Config.Warmup = 1 },
		"code layouts 4 against none":               func(r *record.Run, _ *record.Case) { r.Config.Layouts = 4 },
	} {
		r := compareRuns(t, recordOfRun{ns: 100, half: 0.1}, recordOfRun{ns: 150, half: 0.1, change: change})
		got := strings.Join(texts(r.Warnings, diagnosis.Environment), "; ")
		if want != "" {
			want = "new is not old: " + want
		}
		if got != want || r.Comparisons[0].Trusted != (want == "") {
			t.Errorf("%q, want %q; trusted %v", got, want, r.Comparisons[0].Trusted)
		}
	}
	r := compareRuns(t, recordOfRun{ns: 100, half: 0.1}, recordOfRun{ns: 150, half: 0.1, lines: []record.Line{&record.Overhead{Priority: "autogroup -20"}}})
	if got := strings.Join(texts(r.Warnings, diagnosis.Environment), "; "); got != "new is not old: priority of the forks autogroup -20 against none" {
		t.Errorf("priority: %q", got)
	}
}

// TestUnlikeForks: the best of eight short iterations is not compared with the best of two long ones.
func TestUnlikeForks(t *testing.T) {
	short := func(_ *record.Run, c *record.Case) { c.Iterations, c.Time = 8, 12500*time.Microsecond }
	for what, tt := range map[string]struct {
		new  recordOfRun
		test string
		text string
	}{
		"alike":            {recordOfRun{}, record.TestSavage, ""},
		"shorter":          {recordOfRun{iterations: 8, change: func(r *record.Run, c *record.Case) { r.Config.Iterations = 2; short(r, c) }}, "", "forks of new had 8 iterations of 12.5ms against 2 iterations of 50ms of old"},
		"of a text":        {recordOfRun{iterations: 1, change: func(r *record.Run, _ *record.Case) { r.Config.Time = 0 }}, "", ""},
		"fewer than said":  {recordOfRun{iterations: 1, change: func(r *record.Run, _ *record.Case) { r.Config.Iterations = 2 }}, "", ""},
		"N left to itself": {recordOfRun{change: func(_ *record.Run, c *record.Case) { c.Mode, c.N = record.ModeTime, 0 }}, record.TestSavage, "forks of new had an N that package testing chose in each against a fixed N of old"},
		"shared process":   {recordOfRun{change: func(_ *record.Run, c *record.Case) { c.Group = "X" }}, record.TestSavage, "forks of new had a process shared with other benchmarks against a process of its own of old"},
	} {
		tt.new.ns, tt.new.half = 150, 0.1
		c := compareRuns(t, recordOfRun{ns: 100, half: 0.1}, tt.new).Comparisons[0]
		got := texts(c.Warnings, diagnosis.UnlikeForks)
		if c.Test != tt.test || strings.Join(got, "; ") != tt.text || slices.Contains(c.Reasons, diagnosis.UnlikeForks) != (tt.text != "") {
			t.Errorf("%s: test %q, %q, trusted %v %v", what, c.Test, got, c.Trusted, c.Reasons)
		}
	}
}

// TestAbsorbedPlans: the figures of each side follow from the plan of its own run.
func TestAbsorbedPlans(t *testing.T) {
	long := func(r *record.Run, _ *record.Case) { r.Config.ShortIterations = true }
	short := func(r *record.Run, c *record.Case) {
		r.Config.ShortIterations, r.Config.Iterations, r.Config.Time = true, 8, 12500*time.Microsecond
	}
	spread := func(r *record.Run, c *record.Case) { r.Config.Spread = 10 * time.Minute }
	r := compareRuns(t, recordOfRun{ns: 100, change: long}, recordOfRun{ns: 100, change: short}).Results
	if x, y := r[0].Planned, r[1].Planned; x.Iterations != 2 || y.Iterations != 8 || y.Time != 12500*time.Microsecond {
		t.Errorf("%+v, %+v", x, y)
	}
	r = compareRuns(t, recordOfRun{ns: 100}, recordOfRun{ns: 100, change: spread}).Results
	if r[0].Interval == r[1].Interval {
		t.Error("the interval of a run that was spread over a time is not over its blocks")
	}
}

// TestAbsorbNames: two records of one name are refused.
func TestAbsorbNames(t *testing.T) {
	all := NewBuilder()
	must(t, all.Absorb(recordOfRun{ns: 100, iterations: 2}.builder(), "a"))
	if err := all.Absorb(recordOfRun{ns: 100, iterations: 2}.builder(), "a"); err == nil {
		t.Error("a second record of one name was absorbed")
	}
}

// TestConditions: what a run lost is what its warnings say, also of a benchmark that keeps several processors busy.
func TestConditions(t *testing.T) {
	const ms = int64(time.Millisecond)
	b := NewBuilder()
	b.Add(&record.Run{Version: 1, Env: record.Env{Cores: 2}})
	b.Add(&record.Case{ID: 1, Pkg: "p", Name: "X", Bin: 1, Procs: 2, Mode: record.ModeN, N: 1000})
	for i := 1; i <= 8; i++ {
		b.Add(&record.Sample{Fork: i, Iter: 2, Phase: record.PhaseMeasure, Ns: 99 * ms, Ops: 1000, Wall: 100 * ms, CPU: 120 * ms, Delay: 60 * ms, V: record.Values{{Unit: "ns/op", Value: 99_000}}})
		b.Add(&record.Fork{ID: i, Case: 1, Bin: 1, Round: i, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 110 * ms, Lost: new(0.), Others: new(100 * ms)})
	}
	if c := b.Conditions(); math.Abs(c.Loss-1./3) > 0.001 || len(texts(b.Result().Warnings, diagnosis.ProcessorsLost)) != 1 {
		t.Errorf("%+v, %+v", c, b.Result().Warnings)
	}
}
