package result

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/numbers/loss"
	"github.com/tarebench/tare/record"
)

// addLost gives a benchmark a fork on each side for each share: lost is what it lost, and its time grows with it. A
// negative share is not known.
func (s *sided) addLost(name string, lost ...float64) {
	for _, side := range s.sides() {
		i := slices.IndexFunc(s.cases, func(c *caseData) bool { return c.line.Name == name && c.line.Side == side })
		if i < 0 {
			i = len(s.cases)
			s.Add(&record.Case{ID: i + 1, Pkg: "p", Name: name, Side: side, Bin: 1 + slices.Index(s.sides(), side), Procs: 1, Mode: record.ModeN})
		}
		for j, x := range lost {
			s.forks++
			value := steady(j) / (1 - max(0, x))
			s.Add(&record.Sample{Fork: s.forks, Iter: 2, Phase: record.PhaseMeasure, Ops: 1, Wall: 40 * ms, Ns: 20 * ms, V: record.Values{{Unit: "ns/op", Value: value}}})
			f := &record.Fork{ID: s.forks, Case: i + 1, Bin: 1, Round: j + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 100 * ms, User: 10 * ms}
			if x >= 0 {
				f.Lost, f.Starved = &x, x > 0.1
			}
			s.Add(f)
		}
	}
}

func repeated(calm int, disturbed int) []float64 {
	return slices.Concat(slices.Repeat([]float64{0.02}, calm), slices.Repeat([]float64{0.4}, disturbed))
}

// texts returns the warnings of a code.
func texts(ws []Warning, code string) (out []string) {
	for _, w := range ws {
		if w.Code == code {
			out = append(out, w.Text)
		}
	}
	return out
}

// TestDisturbedForks: forks that lost time to others do not count if enough forks remain. Otherwise all count, and
// the row has a warning.
func TestDisturbedForks(t *testing.T) {
	for _, test := range []struct {
		name     string
		lost     []float64
		forks    int
		row, run string // the warning about the row and the run
	}{
		{"calm", repeated(20, 0), 20, "", ""},
		{"some are disturbed", repeated(12, 8), 12, "", "others had the processors while 8 of 20 forks ran, for more than 10 % of their time: those do not count"},
		{"just enough", repeated(6, 34), 6, "", "others had the processors for 40 % of a fork's time (median); 34 of 40 forks lost more than 10 % and do not count"},
		{"too few others", repeated(5, 15), 20, "others had the processors for 40 % of its time; 15 of 20 forks lost more than 10 %", "others had the processors for 40 % of a fork's time (median); 15 of 20 forks lost more than 10 %"},
		{"few forks", repeated(3, 1), 4, "others had the processors for 2.0 % of its time; 1 of 4 forks lost more than 10 %", "others had the processors for 2.0 % of a fork's time (median); 1 of 4 forks lost more than 10 %"},
		{"all lost a little", slices.Repeat([]float64{0.07}, 20), 20, "others had the processors for 7.0 % of its time", "others had the processors for 7.0 % of a fork's time (median)"},
		{"not known", slices.Repeat([]float64{-1}, 20), 20, "", ""},
		{"not known of most", append(repeated(1, 3), -1, -1, -1, -1, -1), 6, "others had the processors for 2.0 % of its time; 3 of 9 forks lost more than 10 %; of 5 of the 6 that count it is not known",
			"others had the processors for 40 % of a fork's time (median); 3 of 9 forks lost more than 10 % and do not count; for 5 forks that is not known, and they count"},
		{"not known of some", append(repeated(7, 2), -1, -1), 9, "",
			"others had the processors while 2 of 11 forks ran, for more than 10 % of their time: those do not count; for 2 forks that is not known, and they count"},
		{"not known of most, and the others are calm", append(repeated(1, 0), -1, -1, -1, -1, -1), 6, "", ""},
	} {
		s := newSided(record.Config{Confidence: 0.95}, "only")
		s.addLost("X", test.lost...)
		r := s.Result()
		if got := r.Results[0].Forks; got != test.forks {
			t.Errorf("%s: %d forks count, want %d", test.name, got, test.forks)
		}
		if x := r.Results[0]; x.Starved != len(test.lost)-test.forks || (x.Lost != nil) != (test.name != "not known") {
			t.Errorf("%s: %d forks do not count, lost %v", test.name, x.Starved, x.Lost)
		}
		if m := float64(r.Results[0].Median); test.row == "" && (m < 98 || m > 104) {
			t.Errorf("%s: median %.4g", test.name, m)
		}
		if got := strings.Join(append(texts(r.Results[0].Warnings, diagnosis.Starved), texts(r.Results[0].Warnings, diagnosis.ThreadsWaited)...), "|"); got != test.row {
			t.Errorf("%s: row %q, want %q", test.name, got, test.row)
		}
		if got := strings.Join(texts(r.Warnings, diagnosis.ProcessorsLost), "|"); got != test.run {
			t.Errorf("%s: run %q, want %q", test.name, got, test.run)
		}
	}
}

// TestDisturbedSides: the forks of all sides are selected by one rule, and a verdict on disturbed forks is not trusted.
func TestDisturbedSides(t *testing.T) {
	s := newSided(record.Config{Confidence: 0.95}, "old", "new")
	s.addLost("X", repeated(12, 8)...)
	s.addLost("Y", repeated(4, 16)...)
	for i, c := range s.Result().Comparisons {
		trusted, forks := i == 0, []int{12, 20}[i]
		if c.Trusted != trusted || c.OldN != forks || c.NewN != forks || slices.Contains(c.Reasons, diagnosis.Starved) == trusted {
			t.Errorf("%s: trusted %v for %v, %d and %d forks", c.Name, c.Trusted, c.Reasons, c.OldN, c.NewN)
		}
	}
	lost := 0.4
	s = newSided(record.Config{Confidence: 0.95}, "old", "new")
	s.addLost("X", repeated(12, 0)...)
	for i := range 8 { // on the old side only
		s.forks++
		s.Add(&record.Sample{Fork: s.forks, Iter: 2, Phase: record.PhaseMeasure, Ops: 1, V: record.Values{{Unit: "ns/op", Value: 170}}})
		s.Add(&record.Fork{ID: s.forks, Case: 1, Bin: 1, Round: 20 + i, Purpose: record.PurposeTiming, State: record.StateOK, Lost: &lost})
	}
	if c := only(t, s.Result()); c.OldN != 12 || c.NewN != 12 || !c.Trusted {
		t.Errorf("%d and %d forks count, trusted %v", c.OldN, c.NewN, c.Trusted)
	}
}

// TestDisturbedBlamesNoBenchmark: what a busy machine does to forks is not said of the benchmark.
func TestDisturbedBlamesNoBenchmark(t *testing.T) {
	suspicious := func(lost func(i int) float64) []string {
		s := newSided(record.Config{Confidence: 0.95}, "only")
		s.Add(&record.Case{ID: 1, Pkg: "p", Name: "X", Side: "only", Bin: 1, Procs: 1, Mode: record.ModeN})
		for i := range 30 {
			value, x := steady(i), lost(i)
			if i >= 15 { // two groups, and a drift
				value *= 2
			}
			for j := range 2 { // it gets slower, its timer is stopped
				v := record.Values{{Unit: "ns/op", Value: value * float64(1+j)}}
				s.Add(&record.Sample{Fork: i + 1, Iter: 2 + j, Phase: record.PhaseMeasure, Ops: 1, Wall: 400 * ms, Ns: 20 * ms, V: v})
			}
			s.Add(&record.Fork{ID: i + 1, Case: 1, Bin: 1, Round: i + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 1000 * ms, Setup: 900 * ms, Lost: &x})
		}
		var out []string
		for _, w := range s.Result().Results[0].Warnings {
			out = append(out, w.Code)
		}
		slices.Sort(out)
		return out
	}
	calm := suspicious(func(int) float64 { return 0.01 })
	if want := []string{diagnosis.Bimodal, diagnosis.Drift, diagnosis.Setup, diagnosis.TimerStopped, diagnosis.Trend}; !slices.Equal(calm, want) {
		t.Errorf("on a quiet machine: %v, want %v", calm, want)
	}
	if got := suspicious(func(int) float64 { return 0.5 }); !slices.Equal(got, []string{diagnosis.Starved}) {
		t.Errorf("while others had the processors: %v", got)
	}
}

// TestOwnTime: waiting for a processor is no time in which the benchmark stopped its timer.
func TestOwnTime(t *testing.T) {
	codes := func(cpu, delay int64) string {
		s := newSided(record.Config{Confidence: 0.95}, "only")
		s.Add(&record.Case{ID: 1, Pkg: "p", Name: "X", Side: "only", Bin: 1, Procs: 1, Mode: record.ModeN})
		for i := range 20 {
			s.Add(&record.Sample{Fork: i + 1, Iter: 2, Phase: record.PhaseMeasure, Ops: 1, Wall: 100 * ms, CPU: cpu * ms, Delay: delay * ms, Ns: 30 * ms, V: record.Values{{Unit: "ns/op", Value: steady(i)}}})
			s.Add(&record.Fork{ID: i + 1, Case: 1, Bin: 1, Round: i + 1, Purpose: record.PurposeTiming, State: record.StateOK})
		}
		var out []string
		for _, w := range s.Result().Results[0].Warnings {
			out = append(out, w.Code)
		}
		return strings.Join(out, " ")
	}
	if got := codes(98, 5); got != diagnosis.TimerStopped {
		t.Errorf("a stopped timer: %q", got)
	}
	if got := codes(40, 90); got != "" {
		t.Errorf("60 of 100 ms without a processor: %q", got)
	}
}

// TestQuota: a CPU quota is neither stolen time nor others' load.
func TestQuota(t *testing.T) {
	s := newSided(record.Config{Confidence: 0.95}, "old", "new")
	s.addLost("X", repeated(0, 20)...)
	for _, c := range s.cases {
		for i := range c.timed {
			c.timed[i].line.Throttled = 35 * ms
		}
	}
	r := s.Result()
	if got := texts(r.Warnings, diagnosis.Quota); len(got) != 1 || !strings.Contains(got[0], "a CPU quota stopped the control group of the forks: 1.4 s of processor time in 4.0 s") {
		t.Errorf("%q", got)
	}
	if got := texts(r.Warnings, diagnosis.ProcessorsLost); len(got) != 1 || strings.Contains(got[0], "others") {
		t.Errorf("%q", got)
	}
	if got := texts(r.Results[0].Warnings, diagnosis.Starved); len(got) != 1 || !strings.HasPrefix(got[0], "a CPU quota stopped it for 40 % of its time") {
		t.Errorf("%q", got)
	}
	if c := only(t, r); c.Trusted || !slices.Contains(c.Reasons, diagnosis.Quota) {
		t.Errorf("trusted %v for %v", c.Trusted, c.Reasons)
	}
}

// TestLossOfOldRecords: they are marked by the CPU time of processes, where that can be, and their values stay.
func TestLossOfOldRecords(t *testing.T) {
	of := func(kind string, used func(i int) int64) Benchmark {
		s := newSided(record.Config{Confidence: 0.95}, "only")
		s.run.Kind = kind
		s.Add(&record.Case{ID: 1, Pkg: "p", Name: "X", Side: "only", Bin: 1, Procs: 1, Mode: record.ModeN})
		for i := range 20 {
			s.Add(&record.Sample{Fork: i + 1, Iter: 2, Phase: record.PhaseMeasure, Ops: 1, V: record.Values{{Unit: "ns/op", Value: steady(i)}}})
			s.Add(&record.Fork{ID: i + 1, Case: 1, Bin: 1, Round: i + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 100 * ms, User: used(i) * ms})
		}
		return s.Result().Results[0]
	}
	busy := func(i int) int64 { return []int64{98, 60, 55}[i%3] }
	if r := of(record.KindBench, busy); r.Forks != 20 || len(texts(r.Warnings, diagnosis.Starved)) != 1 {
		t.Errorf("disturbed: %d forks, %v", r.Forks, r.Warnings)
	}
	if r := of(record.KindBench, func(i int) int64 { return []int64{40, 60, 55}[i%3] }); len(r.Warnings) > 0 {
		t.Errorf("a benchmark that waits: %v", r.Warnings)
	}
	if r := of(record.KindTime, busy); len(texts(r.Warnings, diagnosis.Starved)) != 0 {
		t.Errorf("a command: %v", r.Warnings)
	}
}

// TestLossIsDerivedAnew: a report says the same as the run did, once, also of each of the records that were compared.
func TestLossIsDerivedAnew(t *testing.T) {
	s := newSided(record.Config{Confidence: 0.95}, "only")
	s.addLost("X", repeated(3, 9)...)
	before, _ := json.Marshal(s.Result())
	for _, w := range s.Builder.Warnings() {
		s.Add(&w)
	}
	if after, _ := json.Marshal(s.Result()); !bytes.Equal(before, after) {
		t.Errorf("got  %s\nwant %s", after, before)
	}
	separate := func() *Builder {
		x := newSided(record.Config{Confidence: 0.95})
		x.run.Sides = []record.Side{{Name: "one"}}
		x.addLost("X", repeated(3, 9)...)
		return x.Builder
	}
	b := NewBuilder()
	for _, side := range []string{"a", "b"} {
		if err := b.Absorb(separate(), side); err != nil {
			t.Fatal(err)
		}
	}
	r := b.Result()
	if c := only(t, r); c.Trusted || !slices.Contains(c.Reasons, diagnosis.Starved) || len(texts(r.Warnings, diagnosis.ProcessorsLost)) != 2 || r.Warnings[0].Side != "a" || r.Warnings[1].Side != "b" {
		t.Errorf("trusted %v for %v; run %v", c.Trusted, c.Reasons, r.Warnings)
	}
}

// addUsing gives a benchmark 12 forks on each side, whose iterations took 100 ms of wall time and as much CPU time
// and delay as given.
func (s *sided) addUsing(c record.Case, cpu, delay int64) {
	for _, side := range s.sides() {
		c.ID, c.Pkg, c.Side, c.Bin = len(s.cases)+1, "p", side, 1+slices.Index(s.sides(), side)
		s.Add(new(c))
		for j := range 12 {
			s.forks++
			samples := []*record.Sample{{Fork: s.forks, Iter: 2, Phase: record.PhaseMeasure, Ops: 1, Wall: 100 * ms, CPU: cpu, Delay: delay, Ns: 99 * ms, V: record.Values{{Unit: "ns/op", Value: steady(j)}}}}
			f := &record.Fork{ID: s.forks, Case: c.ID, Bin: 1, Round: j + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 110 * ms, User: cpu, Others: new(100 * ms)}
			loss.Mark(f, samples, loss.ProcessorsOf(&c, 2))
			s.Add(samples[0])
			s.Add(f)
		}
	}
}

// TestDisturbedParallel: a benchmark that uses more CPU time than wall time may have lost a processor all the same.
func TestDisturbedParallel(t *testing.T) {
	parallel := []string{record.FormParallel}
	for _, test := range []struct {
		name       string
		c          record.Case
		cpu, delay int64
		want       string
		trusted    bool
	}{
		{"RunParallel, both processors", record.Case{Procs: 2, Forms: parallel}, 198 * ms, 2 * ms, "", true},
		{"RunParallel beside two hogs", record.Case{Procs: 2, Forms: parallel}, 100 * ms, 90 * ms, "others had the processors for 47 % of its threads' time; 12 of 12 forks lost more than 10 %", false},
		{"RunParallel by one goroutine", record.Case{Procs: 1, Forms: parallel}, 99 * ms, 2 * ms, "", true},
		{"goroutines of its own", record.Case{Procs: 2}, 198 * ms, 2 * ms, "", true},
		{"goroutines of its own, beside a hog", record.Case{Procs: 2}, 140 * ms, 50 * ms, "it keeps 1.4 processors busy, and others had them for 26 % of its threads' time", true},
		{"it is sequential, and the collector waits", record.Case{Procs: 2}, 100 * ms, 60 * ms, "", true},
		{"more goroutines than processors", record.Case{Procs: 8}, 199 * ms, 700 * ms, "", true},
	} {
		s := newSided(record.Config{Confidence: 0.95}, "old", "new")
		s.run.Env.Cores = 2
		test.c.Name = "X"
		s.addUsing(test.c, test.cpu, test.delay)
		r := s.Result()
		if got := strings.Join(append(texts(r.Results[0].Warnings, diagnosis.Starved), texts(r.Results[0].Warnings, diagnosis.ThreadsWaited)...), "|"); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if c := only(t, r); c.Trusted != test.trusted || slices.Contains(c.Reasons, diagnosis.Starved) == c.Trusted {
			t.Errorf("%s: trusted %v for %v", test.name, c.Trusted, c.Reasons)
		}
		if lost := texts(r.Warnings, diagnosis.ProcessorsLost); len(lost) > 0 != (test.want != "") {
			t.Errorf("%s: of the run: %q", test.name, lost)
		}
	}
}
