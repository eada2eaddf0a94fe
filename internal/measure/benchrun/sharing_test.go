package benchrun

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/record"
)

// shareLab has a function F with sub-benchmarks on two sides, and simulates its processes.
type shareLab struct {
	*Found
	setup time.Duration // of a process
	fails map[string]string
	runs  []string // "side name+others"
}

// newShareLab has walls as those at discovery; each operation takes a millisecond.
func newShareLab(t *testing.T, setup time.Duration, walls ...time.Duration) *shareLab {
	t.Helper()
	l := &shareLab{Found: fakeFound(t, openRecord(t), 0), setup: setup, fails: map[string]string{}}
	l.Run.Config.Forks, l.Run.Config.Time = 20, 10*time.Millisecond
	l.Cases = nil
	for _, s := range l.sides {
		for i, w := range walls {
			c := &record.Case{ID: len(l.Cases) + 1, Pkg: "p", Name: fmt.Sprintf("F/%c", 'a'+i), Side: s.Name, Bin: 1, Procs: 1, Mode: record.ModeN}
			l.Cases = append(l.Cases, c)
			l.firstWall[c.ID] = w
			l.sharing.see(c, fork.Discovered{Wall: w, V: record.Values{{Unit: "ns/op", Value: 1e6}}})
		}
	}
	l.run = l.process
	return l
}

func (l *shareLab) process(_ context.Context, r plan.Request) (*plan.Outcome, error) {
	name := r.Case.Side + " " + r.Case.Name
	for _, w := range r.With {
		name += "+" + strings.TrimPrefix(w.Name, "F/")
	}
	l.runs = append(l.runs, name)
	out := l.fork(r.Case, r, len(r.Group) == 0)
	for _, w := range r.With {
		out.Others = append(out.Others, l.fork(w, r, false))
	}
	return out, nil
}

func (l *shareLab) fork(c *record.Case, r plan.Request, alone bool) *plan.Outcome {
	o := &plan.Outcome{Fork: record.Fork{Case: c.ID, State: record.StateOK, Wall: int64(l.setup) + 1e7}}
	if why := l.fails[c.Name]; why == "always" || why == "alone" && alone {
		o.Fork.State, o.Fork.Why = record.StateFailed, "fails "+why
	}
	n := max(1, r.Case.N)
	for i := range r.Count {
		o.Samples = append(o.Samples, &record.Sample{Iter: i + 1, Phase: record.PhaseMeasure, Wall: 1e6 * n, CPU: 1e6 * n, Delay: 1, Ns: 1e6 * n, Ops: n})
	}
	return o
}

// calibrate returns the cases that can be measured, "side name=group".
func (l *shareLab) calibrate(t *testing.T) (groups []string, c *Calibrated) {
	t.Helper()
	c, err := Calibrate(t.Context(), l.Found)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range c.Plan.Cases {
		groups = append(groups, fmt.Sprintf("%s %s=%s", x.Side, x.Name, x.Group))
	}
	return groups, c
}

const ms = time.Millisecond

// TestShareDear: sub-benchmarks share processes on all sides if the set-up around them is dear, not if it is their own.
func TestShareDear(t *testing.T) {
	l := newShareLab(t, 2*time.Second, 2000*ms, ms, ms)
	got, c := l.calibrate(t)
	if want := []string{"old F/a=F", "old F/b=F", "old F/c=F", "new F/a=F", "new F/b=F", "new F/c=F"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if len(l.runs) != 1 || l.runs[0] != "old F/b" {
		t.Errorf("ran %q, want one operation of one member alone", l.runs)
	}
	if x := c.Plan.Cases[0]; x.Mode != record.ModeTime || x.Calibration != nil || time.Duration(3*x.Wall) < 2*time.Second || time.Duration(3*x.Wall) > 3*time.Second {
		t.Errorf("%+v", x)
	}
	w := c.sharingWarnings(c.Plan.Cases[0])
	if len(w) != 1 || !strings.Contains(w[0].(*record.Warn).Text, "3 sub-benchmarks of F share each process") || !strings.Contains(w[0].(*record.Warn).Text, "set-up of about 2s would be repeated in each of 60 forks, about 2m0s in all") {
		t.Errorf("%+v", w)
	}

	l = newShareLab(t, 4*time.Second, 2000*ms, 1000*ms, 8*time.Second) // a common part, and more of their own
	if got, c := l.calibrate(t); slices.ContainsFunc(got, func(s string) bool { return !strings.HasSuffix(s, "=F") }) {
		t.Errorf("common part and set-ups of their own: %v", got)
	} else if x := c.Plan.Cases[2]; !strings.Contains(c.sharing.why[x.ID], "set-up of about 3s would be repeated in each of 60 forks, about 3m1s in all") {
		t.Errorf("%q", c.sharing.why[x.ID])
	} else if d := c.Plan.RoundGuess(); d < 2*26*time.Second || d > 2*28*time.Second {
		t.Errorf("a round is expected to take %s", d)
	}
	l = newShareLab(t, 4*time.Second, 4500*ms, ms, 501*ms, 501*ms) // half a second before each run, five more of which a member needs; two results at once
	if _, c := l.calibrate(t); c.Plan.Cases[0].Group == "" || c.Plan.RoundGuess() < 2*15*time.Second || c.Plan.RoundGuess() > 2*16*time.Second {
		t.Errorf("group %q, a round of %s", c.Plan.Cases[0].Group, c.Plan.RoundGuess())
	}
	l = newShareLab(t, 2*time.Second, 10*time.Second, 1000*ms, 12*time.Second) // a common part that is the smaller one
	if got, c := l.calibrate(t); slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, "=F") }) {
		t.Errorf("little in common: %v", got)
	} else if d := c.Plan.Setup[2]; d < 900*ms || d > 1100*ms {
		t.Errorf("forks are expected to repeat %s", d)
	}
	l = newShareLab(t, 1000*ms, 1001*ms, 1001*ms) // each its own
	if got, _ := l.calibrate(t); slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, "F") }) {
		t.Errorf("set-up of their own: %v", got)
	}
	l = newShareLab(t, 2*time.Second, 2000*ms, ms)
	l.sharing.off = true
	if got, _ := l.calibrate(t); slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, "F") }) {
		t.Errorf("off: %v", got)
	}
}

// TestShareFailing: what fails alone and passes with its siblings shares processes with those that do; what always
// fails is lost. The siblings are tried once.
func TestShareFailing(t *testing.T) {
	l := newShareLab(t, 0, ms, ms, ms, ms)
	l.fails["F/b"], l.fails["F/c"], l.fails["F/d"] = "alone", "always", "alone"
	got, c := l.calibrate(t)
	if want := []string{"old F/a=F", "old F/b=F", "old F/d=F", "new F/a=F", "new F/b=F", "new F/d=F"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	together := slices.DeleteFunc(slices.Clone(l.runs), func(s string) bool { return !strings.Contains(s, "+") })
	if !slices.Equal(together, []string{"old F/a+b+c+d"}) {
		t.Errorf("together: %q", together)
	}
	if len(c.Lost) != 2 || c.Lost[0].Case.Name != "F/c" || c.Lost[1].Case.Name != "F/c" {
		t.Errorf("lost %v", c.Lost)
	}
	if w := c.sharingWarnings(c.Plan.Cases[0])[0].(*record.Warn); !strings.Contains(w.Text, "b fails alone (fails alone)") {
		t.Errorf("%s", w.Text)
	}
	l = newShareLab(t, 0, ms, ms)
	l.fails["F/b"] = "always"
	if got, c := l.calibrate(t); !slices.Equal(got, []string{"old F/a=", "new F/a="}) || len(c.Lost) != 2 {
		t.Errorf("%v", got)
	}
}

// TestAnnounce: a run of more than a minute says what it will cost, with the set-up that each fork repeats.
func TestAnnounce(t *testing.T) {
	p := &plan.Plan{Config: record.Config{Forks: 20, Warmup: 1, Iterations: 2, Time: 10 * ms}, Cases: []*record.Case{{ID: 1, Mode: record.ModeN}}}
	var said []string
	note := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	announce(p, note)
	p.Setup = map[int]time.Duration{1: 10 * time.Second}
	announce(p, note)
	p.Config.Budget = time.Minute // which says its own
	announce(p, note)
	if len(said) != 1 || !strings.Contains(said[0], "20 rounds of about 10s: about ") {
		t.Errorf("%q", said)
	}
}
