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

// starving returns a Runner that runs forks in a lab and sets record.Fork.Starved of those for which takes is true. run
// counts the forks of a case, from 1.
func starving(l *lab, takes func(r Request, run int) bool) Runner {
	return func(ctx context.Context, r Request) (*Outcome, error) {
		out, err := l.run(ctx, r)
		lost := 0.0
		if out.Fork.Starved = takes(r, l.each[r.Case.Name]); out.Fork.Starved {
			lost = 0.4
		}
		out.Fork.Lost = &lost
		return out, err
	}
}

// rounds returns the number of forks of each round of a case, "1122 …" by name.
func (l *lab) rounds(name string) string {
	var b strings.Builder
	for _, r := range l.runs {
		if r.Case.Name == name && r.Purpose == record.PurposeTiming {
			fmt.Fprint(&b, r.Round, " ")
		}
	}
	return strings.TrimSpace(b.String())
}

// TestRepeatAboveLimit: a fork that waited too long for a processor is repeated at the end of its round, and in later
// rounds until a repeat was calm.
func TestRepeatAboveLimit(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Plan)
		takes  func(r Request, run int) bool
		want   string
	}{
		{"never", nil, func(Request, int) bool { return false }, "1 2 3 4 5 6"},
		{"once", nil, func(_ Request, run int) bool { return run == 3 }, "1 2 3 3 4 5 6"},
		{"twice in a row", nil, func(_ Request, run int) bool { return run == 3 || run == 4 }, "1 2 3 3 3 4 5 6"},
		{"in a burst", nil, func(r Request, _ int) bool { return r.Round == 3 }, "1 2 3 3 3 4 4 5 6"},
		{"at the beginning", nil, func(r Request, _ int) bool { return r.Round == 1 }, "1 1 2 2 3 4 5 6"},
		{"always", nil, func(Request, int) bool { return true }, "1 1 2 2 3 3 4 4 5 5 6 6"},
		{"not wanted", func(p *Plan) { p.Config.NoRepeat = true }, func(Request, int) bool { return true }, "1 2 3 4 5 6"},
		{"one after the other", func(p *Plan) { p.Config.Order = Grouped }, func(_ Request, run int) bool { return run == 3 }, "1 2 3 3 4 5 6"},
		{"profiled", func(p *Plan) { p.Profiles = []Profile{{Purpose: "mem", Rounds: 6}} }, func(r Request, _ int) bool { return r.Purpose == "mem" }, "1 2 3 4 5 6"},
	} {
		bubble(t, func(t *testing.T) {
			cfg := config()
			cfg.Forks = 6
			p, l := three(cfg)
			if test.change != nil {
				test.change(p)
			}
			run := starving(l, func(r Request, n int) bool { return r.Case.Name == "b" && test.takes(r, n) })
			if _, err := p.Measure(t.Context(), nil, run, nil); err != nil {
				t.Fatal(err)
			}
			if got := l.rounds("b"); got != test.want {
				t.Errorf("%s: rounds %s, want %s", test.name, got, test.want)
			}
			if a, c := l.rounds("a"), l.rounds("c"); a != "1 2 3 4 5 6" || c != a {
				t.Errorf("%s: others ran in rounds %s and %s", test.name, a, c)
			}
		})
	}
}

// TestRepeatOrder: repeats follow all forks of the round, failed ones first, in the order of the round, and the forks of
// profilers come last.
func TestRepeatOrder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		cfg := config()
		cfg.Forks = 1
		p, l := three(cfg)
		p.Profiles = []Profile{{Purpose: "mem", Rounds: 1}}
		l.benches["b"].fail = func(_ Request, run int) bool { return run == 1 }
		run := starving(l, func(r Request, n int) bool { return r.Case.Name != "b" && n == 1 })
		if _, err := p.Measure(t.Context(), nil, run, nil); err != nil {
			t.Fatal(err)
		}
		var got, order []string
		for _, r := range l.runs {
			got = append(got, r.Case.Name)
		}
		for _, c := range p.shuffle(1) {
			order = append(order, c.Name)
		}
		want := slices.Concat(order, []string{"b"}, slices.DeleteFunc(slices.Clone(order), func(n string) bool { return n == "b" }), order)
		if !slices.Equal(got, want) {
			t.Errorf("ran %v, want %v", got, want)
		}
	})
}

// TestRepeatBudget: a repeat for which the budget does not suffice is left out, and time is not exceeded.
func TestRepeatBudget(t *testing.T) {
	bubble(t, func(t *testing.T) {
		cfg := config()
		cfg.Forks, cfg.Budget = 20, 30*second
		p, l := three(cfg)
		start := time.Now()
		stop, err := p.Measure(t.Context(), nil, starving(l, func(Request, int) bool { return true }), nil)
		if took := time.Since(start); err != nil || stop.Reason != record.WhyBudgetSpent || took > cfg.Budget || took < 20*second {
			t.Errorf("%+v, %v after %s", stop, err, took)
		}
	})
}

// TestRepeatResumed: a run that is resumed goes on where the earlier one stopped, and has no more repeats in all.
func TestRepeatResumed(t *testing.T) {
	for cut := 1; cut < 12; cut++ {
		bubble(t, func(t *testing.T) {
			takes := func(_ Request, run int) bool { return run%4 != 0 }
			cfg := config()
			cfg.Forks = 6
			one, l := three(cfg)
			one.Cases = one.Cases[:1]
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var m Measured
			inner := starving(l, takes)
			run := func(ctx context.Context, r Request) (*Outcome, error) {
				out, err := inner(ctx, r)
				if out.Fork.Case = r.Case.ID; err == nil {
					m.Add(&out.Fork)
				}
				if len(l.runs) == cut {
					cancel()
				}
				return out, err
			}
			one.Measure(ctx, nil, run, nil)
			done := map[int]bool{}
			for round := range cfg.Forks + 1 {
				done[round] = m.Done(1, round, record.PurposeTiming)
			}
			one.Done = func(_, round int) bool { return done[round] }
			one.Tally = m.Tally
			if _, err := one.Measure(t.Context(), nil, run, nil); err != nil {
				t.Fatal(err)
			}
			if got := m.Tally(1); got.Forks != 6 || got.Repeated > 6 || got.owed() > 0 && got.Repeated < 6 {
				t.Errorf("cut after %d forks: %+v, rounds %s", cut, got, l.rounds("a"))
			}
		})
	}
}

// TestRepeatEstimate: what a plan is said to take includes repeats, at the rate of the calibration.
func TestRepeatEstimate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		cfg := config()
		p, l := three(cfg)
		calm := p.Estimate()
		n := 0
		run := starving(l, func(Request, int) bool { n++; return n%2 == 0 })
		for _, c := range p.Cases {
			if _, err := p.CalibrateLike(t.Context(), run, c, c); err != nil {
				t.Fatal(err)
			}
		}
		if got := p.Estimate(); got < calm*5/4 || got > calm*7/4 {
			t.Errorf("estimate %s if half of the forks wait too long for a processor, %s if none does", got, calm)
		}
		p.Config.NoRepeat = true
		if got := p.Estimate(); got != calm {
			t.Errorf("%s without repeats, want %s", got, calm)
		}
	})
}

// TestRepeatProgress: what is left includes the repeats that are to be expected.
func TestRepeatProgress(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, l := three(config())
		var half time.Duration
		var at time.Time
		p.Before = func(_ *record.Case, g Progress) {
			if g.Done >= g.Total {
				t.Errorf("%d of %d forks are done before another", g.Done, g.Total)
			}
			if g.Round == 10 && half == 0 {
				half, at = g.Remaining, time.Now()
			}
		}
		if _, err := p.Measure(t.Context(), nil, starving(l, func(_ Request, run int) bool { return run%2 == 1 }), nil); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(at); half < took*9/10 || half > took*11/10 {
			t.Errorf("%s were left, said %s", took, half)
		}
	})
}
