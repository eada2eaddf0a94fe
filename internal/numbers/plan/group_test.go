package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestIsDear: processes are shared where set-up dwarfs what is measured and takes long in all.
func TestIsDear(t *testing.T) {
	p := &Plan{Config: config()} // 20 × (1+2) × 50ms
	brief := []time.Duration{time.Millisecond, time.Millisecond, time.Millisecond}
	for _, c := range []struct {
		name   string
		setup  time.Duration
		own    []time.Duration
		budget time.Duration
		want   bool
	}{
		{"dear", 2 * time.Second, brief, 0, true},
		{"short", 200 * time.Millisecond, brief, 0, false},
		{"as long as the iterations", 500 * time.Millisecond, brief, 0, false},
		{"less than a minute", 900 * time.Millisecond, brief, 0, false},
		{"which the budget lacks", 900 * time.Millisecond, brief, 10 * time.Second, true},
		{"long operations", 2 * time.Second, []time.Duration{time.Second, time.Second, time.Second}, 0, false},
		{"one", time.Minute, brief[:1], 0, false},
	} {
		p.Config.Budget = c.budget
		if got := p.IsDear(p.Shares(c.setup, c.own)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// groupLab counts the processes of a lab whose benchmarks share some.
type groupLab struct {
	*lab
	processes []string // "name+with…/round"
}

func (l *groupLab) run(ctx context.Context, r Request) (*Outcome, error) {
	p := r.Case.Name
	for _, w := range r.With {
		p += "+" + w.Name
	}
	l.processes = append(l.processes, fmt.Sprintf("%s/%d", p, r.Round))
	out, err := l.lab.run(ctx, r)
	for _, w := range r.With {
		o, e := l.lab.run(ctx, Request{Case: w, Round: r.Round, Purpose: r.Purpose, Benchtime: r.Benchtime, Count: r.Count, Warmup: r.Warmup})
		if e != nil {
			return nil, e
		}
		out.Others = append(out.Others, o)
	}
	return out, err
}

// sharedPlan has A, B and C in one group and D alone.
func sharedPlan(l *lab) *Plan {
	for _, n := range []string{"F/a", "F/b", "F/c", "D"} {
		l.benches[n] = &bench{cost: func(int64) time.Duration { return time.Millisecond }}
	}
	p := &Plan{Config: config(), Seed: 3, Cases: cases("F/a", "F/b", "F/c", "D")}
	p.Config.Forks = 3
	p.Share(p.Cases[:3], "F", 30*time.Second, []time.Duration{1, 1, 8})
	return p
}

// TestShareProcess: each round has one process of a group, and a fork of each member; what fails is run again with those
// that failed, too, only.
func TestShareProcess(t *testing.T) {
	for _, order := range []string{Interleaved, Grouped} {
		bubble(t, func(t *testing.T) {
			l := &groupLab{lab: newLab(map[string]*bench{})}
			p := sharedPlan(l.lab)
			p.Config.Order = order
			if got := p.Timeout(p.Cases[0]); got != 300*time.Second {
				t.Errorf("timeout %s, want ten times the process", got)
			}
			if c := p.Cases[2]; c.Mode != record.ModeTime || c.Wall != int64(24*time.Second) {
				t.Errorf("%+v", c)
			}
			l.benches["F/b"].fail = func(r Request, run int) bool { return r.Round == 2 && run == 2 }
			l.benches["F/c"].fail = func(r Request, run int) bool { return r.Round == 2 && run == 2 }
			stop, err := p.Measure(t.Context(), nil, l.run, nil)
			if err != nil || stop.Rounds != 3 {
				t.Fatal(stop, err)
			}
			ran := l.ran(record.PurposeTiming)
			slices.Sort(ran)
			if got := strings.Join(ran, " "); got != "D/1 D/2 D/3 F/a/1 F/a/2 F/a/3 F/b/1 F/b/2 F/b/2 F/b/3 F/c/1 F/c/2 F/c/2 F/c/3" {
				t.Errorf("%s: %s", order, got)
			}
			shared := slices.DeleteFunc(l.processes, func(s string) bool { return s[0] == 'D' })
			if len(shared) != 4 || strings.Count(shared[2], "+") != 1 || strings.Contains(shared[2], "F/a") {
				t.Errorf("%s: processes %q, want one a round and one of F/b and F/c", order, shared)
			}
		})
	}
}

// TestShareRepeats: members of a group that waited too long for a processor are repeated by one process.
func TestShareRepeats(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := &groupLab{lab: newLab(map[string]*bench{})}
		p := sharedPlan(l.lab)
		p.Config.Forks = 2
		starve := func(ctx context.Context, r Request) (*Outcome, error) {
			out, err := l.run(ctx, r)
			for _, o := range append([]*Outcome{out}, out.Others...) {
				o.Fork.Starved = o.Fork.Case != 1 && r.Round == 1 && l.each["F/b"] == 1
			}
			return out, err
		}
		if _, err := p.Measure(t.Context(), nil, starve, nil); err != nil {
			t.Fatal(err)
		}
		if l.each["F/a"] != 2 || l.each["F/b"] != 3 || l.each["F/c"] != 3 {
			t.Errorf("%v", l.each)
		}
	})
}

// TestSharedNeedNoCalibration: members of a group are not calibrated, and keep an N that was asked for.
func TestSharedNeedNoCalibration(t *testing.T) {
	p := &Plan{Config: config(), Cases: cases("F/a", "F/b")}
	p.Config.Benchtime = "7x"
	p.Cases[0].N, p.Cases[1].N = 7, 7
	p.Share(p.Cases, "F", time.Second, []time.Duration{0, 0})
	if c := p.Cases[0]; c.Mode != record.ModeN || c.N != 7 || c.Wall != int64(time.Second/2) {
		t.Errorf("%+v", c)
	}
	if d := p.CalibrationTime(p.Cases); d != 0 {
		t.Errorf("calibration takes %s", d)
	}
	p.Cases = cases("F/a", "F/b")
	before := p.CalibrationTime(p.Cases)
	round := p.RoundGuess()
	p.Setup = map[int]time.Duration{1: time.Minute}
	if p.CalibrationTime(p.Cases) < time.Minute || p.RoundGuess() != round+time.Minute {
		t.Errorf("with a set-up of a minute: calibration %s, was %s; round %s, was %s", p.CalibrationTime(p.Cases), before, p.RoundGuess(), round)
	}
}
