package result

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/numbers/loss"
	"github.com/tarebench/tare/record"
)

// commands returns the result of two commands with 12 runs each of 100 ms. set fills in what a run used; the second
// command takes twice as long.
func commands(system string, load float64, set func(i int, f *record.Fork)) *Result {
	b := NewBuilder()
	b.Add(&record.Run{
		Kind: record.KindTime, Version: record.Version, Config: record.Config{Confidence: 0.95, Threshold: 0.03},
		Env: record.Env{OS: system, Cores: 2}, Sides: []record.Side{{Name: "old"}, {Name: "new"}},
	})
	for i, side := range []string{"old", "new"} {
		b.Add(&record.Case{ID: i + 1, Name: "Command", Side: side, Mode: record.ModeN, N: 1, SingleShot: true, Units: TimeUnits()})
	}
	b.Add(&record.Overhead{Load: load})
	for i := range 24 {
		f := &record.Fork{ID: i + 1, Case: i%2 + 1, Round: i/2 + 1, Purpose: record.PurposeTiming, State: record.StateOK, Wall: 100 * ms}
		set(i, f)
		real := float64(1+i%2) * steady(i/2) * 1e6
		b.Add(&record.Sample{Fork: f.ID, Iter: 1, Phase: record.PhaseMeasure, Ns: f.Wall, Ops: 1, V: record.Values{{Unit: UnitReal, Value: real}}})
		b.Add(f)
	}
	return b.Result()
}

// TestProcessorsShared: a verdict on commands that others may have kept from the processors is not trusted.
func TestProcessorsShared(t *testing.T) {
	use := func(command, others, idle int64) func(int, *record.Fork) {
		return func(_ int, f *record.Fork) { f.User, f.Others, f.Idle = command*ms, new(others*ms), idle*ms }
	}
	lost := func(share float64) func(int, *record.Fork) {
		return func(i int, f *record.Fork) {
			use(50, 150, 0)(i, f)
			f.User = int64((1 - share) * float64(f.Wall))
			loss.MarkCommand(f, f.User, f.Wall)
		}
	}
	nothing := func(int, *record.Fork) {}
	for _, test := range []struct {
		name string
		load float64
		set  func(int, *record.Fork)
		want string // code and text
	}{
		{"no other process", 0.3, use(99, 1, 100), ""},
		{"all processors are the command's", 2, use(198, 2, 0), ""},
		{"one processor is free", 3, use(40, 60, 100), ""},
		{"two hogs", 10, use(50, 150, 0), "crowded load 10.0 when the run began; others used 1.5 of 2 processors while the commands ran, and 0.0 stood idle: how long the commands waited for one is not known"},
		{"two hogs, and readings around short runs", 10, use(50, 400, 50), "crowded load 10.0 when the run began; others used 1.6 of 2 processors while the commands ran, and 0.2 stood idle: how long the commands waited for one is not known"},
		{"nothing lost beside two hogs", 10, lost(0.01), ""},
		{"half lost", 10, lost(0.5), "starved others had the processors for 50 % of its time; 12 of 12 runs lost more than 10 %"},
		{"only the load is known", 10, nothing, "crowded load 10.0 when the run began; other processes used the 2 processors: how long the commands waited for one is not known"},
		{"an old record", 10, nothing, ""},
		{"nothing is known", 0, nothing, ""},
	} {
		system := "linux"
		if test.name == "only the load is known" {
			system = "darwin"
		}
		r := commands(system, test.load, test.set)
		c := r.Comparisons[0]
		code, text, _ := strings.Cut(test.want, " ")
		if c.Trusted != (code == "") || code != "" && !slices.Contains(c.Reasons, code) {
			t.Errorf("%s: trusted %v for %v", test.name, c.Trusted, c.Reasons)
		}
		if got := append(texts(r.Warnings, diagnosis.Crowded), texts(r.Results[0].Warnings, diagnosis.Starved)...); strings.Join(got, "|") != text {
			t.Errorf("%s: %q, want %q", test.name, got, text)
		}
		if v := r.TimeVerdicts()[0]; !strings.HasSuffix(strings.Join(v.Reasons, "|"), text) || (text == "") != (len(v.Reasons) == 0) {
			t.Errorf("%s: reasons %q", test.name, v.Reasons)
		}
	}
}

// TestDisturbedRuns: runs that lost time to others do not count if enough others remain.
func TestDisturbedRuns(t *testing.T) {
	r := commands("linux", 10, func(i int, f *record.Fork) {
		f.User = 99 * ms
		if i%6 == 0 {
			f.User = 60 * ms
		}
		loss.MarkCommand(f, f.User, f.Wall)
	})
	if c := r.Comparisons[0]; c.OldN != 8 || c.NewN != 12 || !c.Trusted {
		t.Errorf("%d and %d runs, trusted %v for %v", c.OldN, c.NewN, c.Trusted, c.Reasons)
	}
	if got := texts(r.Warnings, diagnosis.ProcessorsLost); len(got) != 1 || !strings.Contains(got[0], "while 4 of 24 runs ran") {
		t.Errorf("%q", got)
	}
}
