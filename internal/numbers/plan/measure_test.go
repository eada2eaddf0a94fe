package plan

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

const second = time.Second

// three are cases whose forks take 1, 2 and 3 s.
func three(config record.Config) (*Plan, *lab) {
	p := &Plan{Config: config, Seed: 7, Cases: cases("a", "b", "c")}
	l := newLab(map[string]*bench{})
	for i, c := range p.Cases {
		d := time.Duration(i+1) * second
		c.N, c.Wall = 1, int64(d)
		l.benches[c.Name] = &bench{cost: func(int64) time.Duration { return 0 }, start: d}
	}
	return p, l
}

// TestMeasure: every case has a fork in every round, in the order of the seed,
// and the time is what was estimated.
func TestMeasure(t *testing.T) {
	for _, order := range []string{Interleaved, Grouped} {
		bubble(t, func(t *testing.T) {
			cfg := config()
			cfg.Order = order
			p, l := three(cfg)
			var after []int
			p.After = func(round int) { after = append(after, round) }
			estimate, start := p.Estimate(), time.Now()
			stop, err := p.Measure(t.Context(), nil, l.run, nil)
			if err != nil || stop != (Stop{"", 20}) {
				t.Fatalf("%+v, %v", stop, err)
			}
			if took := time.Since(start); took != estimate || took != 20*(6*second+3*ForkOverhead) {
				t.Errorf("%s: took %s, estimated %s", order, took, estimate)
			}
			var want []string
			if order == Interleaved {
				for round := 1; round <= 20; round++ {
					for _, i := range Order(7, round, 3) {
						want = append(want, fmt.Sprintf("%s/%d", p.Cases[i].Name, round))
					}
				}
			} else {
				for _, i := range Order(7, 0, 3) {
					for round := 1; round <= 20; round++ {
						want = append(want, fmt.Sprintf("%s/%d", p.Cases[i].Name, round))
					}
				}
			}
			if got := l.ran(record.PurposeTiming); !slices.Equal(got, want) {
				t.Errorf("%s: ran %s", order, got)
			}
			if order == Interleaved && (len(after) != 20 || !slices.IsSorted(after)) {
				t.Errorf("after %v", after)
			}
			for _, r := range l.runs {
				if r.Count != 3 || r.Warmup != 1 || r.Benchtime != "1x" || r.Timeout != MinTimeout {
					t.Errorf("%+v", r)
				}
			}
		})
	}
}

// TestTimeout: a fork has ten times what is expected, a minute at least, or
// what was asked for.
func TestTimeout(t *testing.T) {
	p := &Plan{}
	for _, test := range []struct{ wall, asked, want time.Duration }{
		{0, 0, time.Minute}, {second, 0, time.Minute}, {10 * second, 0, 100 * second}, {10 * second, 3 * second, 3 * second}, {0, time.Hour, time.Hour},
	} {
		p.Config.Timeout = test.asked
		if got := p.Timeout(&record.Case{Wall: int64(test.wall)}); got != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}

// TestProgress: what is said to be left is what is left, also where forks take
// three times as long as expected.
func TestProgress(t *testing.T) {
	for _, slow := range []time.Duration{1, 3} {
		for _, order := range []string{Interleaved, Grouped} {
			bubble(t, func(t *testing.T) {
				cfg := config()
				cfg.Order = order
				p, l := three(cfg)
				for _, b := range l.benches {
					b.start *= slow
				}
				l.over *= slow
				start := time.Now()
				end := start.Add(slow * p.Estimate())
				forks := 0
				p.Before = func(c *record.Case, g Progress) {
					left := time.Until(end)
					if forks == 0 {
						left /= slow // nothing is known yet
					}
					if g.Done != forks || g.Total != 60 || g.Rounds != 20 || g.Round < 1 || g.Round > 20 {
						t.Errorf("%+v before fork %d", g, forks+1)
					}
					if d := g.Remaining - left; d < -time.Millisecond || d > time.Millisecond {
						t.Errorf("%s, %d times as slow: %s left before fork %d, said %s", order, slow, left, forks+1, g.Remaining)
					}
					forks++
				}
				if _, err := p.Measure(t.Context(), nil, l.run, nil); err != nil || forks != 60 {
					t.Errorf("%d forks, %v", forks, err)
				}
			})
		}
	}
}

// TestReplacement: a failed fork is replaced once, at the end of its round.
func TestReplacement(t *testing.T) {
	bubble(t, func(t *testing.T) {
		cfg := config()
		cfg.Forks = 4
		p, l := three(cfg)
		l.benches["a"].fail = func(r Request, run int) bool { return run == 2 }                // the first of round 2
		l.benches["b"].fail = func(r Request, run int) bool { return r.Round == 3 }            // and its replacement
		l.benches["c"].fail = func(r Request, run int) bool { return r.Round == 4 && run < 5 } // once in the last
		var last Progress
		p.Before = func(_ *record.Case, g Progress) {
			if g.Done >= g.Total || g.Total < last.Total || g.Remaining < 0 {
				t.Errorf("progress %+v after %+v", g, last)
			}
			last = g
		}
		if _, err := p.Measure(t.Context(), nil, l.run, nil); err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		for _, r := range l.runs {
			counts[fmt.Sprintf("%s/%d", r.Case.Name, r.Round)]++
		}
		want := map[string]int{"a/1": 1, "b/1": 1, "c/1": 1, "a/2": 2, "b/2": 1, "c/2": 1, "a/3": 1, "b/3": 2, "c/3": 1, "a/4": 1, "b/4": 1, "c/4": 2}
		if !maps.Equal(counts, want) {
			t.Errorf("forks %v", counts)
		}
		for i, r := range l.runs {
			if i > 0 && r.Round < l.runs[i-1].Round {
				t.Errorf("round %d after %d", r.Round, l.runs[i-1].Round)
			}
		}
		if l.runs[6].Case.Name != "a" || l.runs[6].Round != 2 {
			t.Errorf("the replacement of a/2 is not the last of its round: %s", l.ran(record.PurposeTiming))
		}
		if last.Total != 15 || last.Done != 14 {
			t.Errorf("in the end %+v", last)
		}
	})
}

// TestGiveUp: a case that never succeeds is given up, and the time that it would
// have taken is no longer left. One that has succeeded once is not.
func TestGiveUp(t *testing.T) {
	for _, order := range []string{Interleaved, Grouped} {
		bubble(t, func(t *testing.T) {
			cfg := config()
			cfg.Order = order
			p, l := three(cfg)
			l.benches["b"].fail = func(Request, int) bool { return true }
			l.benches["c"].fail = func(_ Request, run int) bool { return run > 1 }
			var last Progress
			p.Before = func(_ *record.Case, g Progress) { last = g }
			if _, err := p.Measure(t.Context(), nil, l.run, nil); err != nil {
				t.Fatal(err)
			}
			if l.each["a"] != 20 || l.each["b"] != maxFailures || l.each["c"] != 1+2*19 {
				t.Errorf("%s: forks %v", order, l.each)
			}
			if want := len(l.runs); last.Done != want-1 || last.Total != want || last.Remaining <= 0 || last.Remaining > 4*second {
				t.Errorf("%s: before the last of %d forks: %+v", order, want, last)
			}
		})
	}
}

// TestResume: what is left of an interrupted run has the order that it had.
func TestResume(t *testing.T) {
	for _, order := range []string{Interleaved, Grouped} {
		bubble(t, func(t *testing.T) {
			cfg := config()
			cfg.Order = order
			p, l := three(cfg)
			l.benches["b"].fail = func(r Request, _ int) bool { return r.Round == 2 } // is tried again
			quit := make(chan struct{})
			p.Before = func(*record.Case, Progress) {
				if len(l.runs) == 29 {
					close(quit) // with the 30th in hand
				}
			}
			stop, err := p.Measure(t.Context(), quit, l.run, nil)
			if !errors.Is(err, ErrInterrupted) || len(l.runs) != 30 || stop.Reason == "" || stop.Rounds < l.runs[29].Round {
				t.Fatalf("%s: %+v, %v after %d forks", order, stop, err, len(l.runs))
			}
			done := map[string]bool{}
			for _, r := range l.runs {
				if r.Case.Name != "b" || r.Round != 2 {
					done[fmt.Sprintf("%s/%d", r.Case.Name, r.Round)] = true
				}
			}
			whole, wholeLab := three(cfg)
			if _, err := whole.Measure(t.Context(), nil, wholeLab.run, nil); err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, name := range wholeLab.ran(record.PurposeTiming) {
				if !done[name] {
					want = append(want, name)
				}
			}
			rest, restLab := three(cfg)
			rest.Done = func(id, round int) bool { return done[fmt.Sprintf("%s/%d", rest.Cases[id-1].Name, round)] }
			estimate, start := rest.Estimate(), time.Now()
			if stop, err := rest.Measure(t.Context(), nil, restLab.run, nil); err != nil || stop != (Stop{"", 20}) {
				t.Fatalf("%+v, %v", stop, err)
			}
			if got := restLab.ran(record.PurposeTiming); !slices.Equal(got, want) {
				t.Errorf("%s: ran %s\nwant %s", order, got, want)
			}
			if took := time.Since(start); took != estimate {
				t.Errorf("%s: took %s, estimated %s", order, took, estimate)
			}
		})
	}
}

// TestResumeGivesNotUp: a case that succeeded before the interruption is not
// lost by three failures after it.
func TestResumeGivesNotUp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, l := three(config())
		l.benches["a"].fail = func(Request, int) bool { return true }
		p.Done = func(id, round int) bool { return id == 1 && round == 1 }
		if _, err := p.Measure(t.Context(), nil, l.run, nil); err != nil || l.each["a"] != 2*19 {
			t.Errorf("%d forks, %v", l.each["a"], err)
		}
	})
}

// TestInterrupt: quit lets the fork in hand end; the end of the context kills it.
// Either way the run was interrupted, whatever error the Runner has for it.
func TestInterrupt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, l := three(config())
		quit := make(chan struct{})
		close(quit)
		if stop, err := p.Measure(t.Context(), quit, l.run, nil); !errors.Is(err, ErrInterrupted) || len(l.runs) != 0 || stop.Rounds != 1 {
			t.Errorf("quit before: %+v, %v, %d forks", stop, err, len(l.runs))
		}

		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*second, cancel)
		start := time.Now()
		stop, err := p.Measure(ctx, nil, l.run, nil)
		if !errors.Is(err, ErrInterrupted) || time.Since(start) != 20*second || stop.Rounds != 4 {
			t.Errorf("context ended: %+v, %v after %s", stop, err, time.Since(start))
		}

		ctx, cancel = context.WithCancel(t.Context())
		spawn := func(context.Context, Request) (*Outcome, error) {
			cancel() // just before a process is started
			return nil, fmt.Errorf("fork: %w", context.Canceled)
		}
		if _, err := p.Measure(ctx, nil, spawn, nil); !errors.Is(err, ErrInterrupted) {
			t.Errorf("context ended while a fork began: %v", err)
		}

		gone := errors.New("the launcher has died")
		stop, err = p.Measure(t.Context(), nil, func(context.Context, Request) (*Outcome, error) { return nil, gone }, nil)
		if !errors.Is(err, gone) || stop.Rounds != 1 {
			t.Errorf("runner died: %+v, %v", stop, err)
		}
	})
}

// TestBudgetResumed: a resumed run goes on by a round at least, however short its budget is.
func TestBudgetResumed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		cfg := config()
		cfg.Budget = second
		p, l := three(cfg)
		p.Done = func(_, round int) bool { return round <= 4 }
		stop, err := p.Measure(t.Context(), nil, l.run, nil)
		if want := (Stop{record.WhyBudgetSpent, 5}); err != nil || stop != want || len(l.runs) != 3 {
			t.Errorf("%+v, %v after %d forks", stop, err, len(l.runs))
		}
	})
}

// TestBudget: no round, in grouped order no fork, is begun that would not end in
// time, except the first.
func TestBudget(t *testing.T) {
	for _, test := range []struct {
		order  string
		budget time.Duration
		forks  int
		rounds int
	}{
		{Interleaved, time.Minute, 27, 9},
		{Interleaved, second, 3, 1},
		{Interleaved, time.Hour, 60, 20},
		{Grouped, 15 * second, 0, 0},
		{Grouped, time.Millisecond, 1, 1},
		{Grouped, time.Hour, 60, 20},
	} {
		bubble(t, func(t *testing.T) {
			cfg := config()
			cfg.Order, cfg.Budget = test.order, test.budget
			p, l := three(cfg)
			if want := max(6*second+3*ForkOverhead, min(test.budget, 20*(6*second+3*ForkOverhead))); p.Estimate() != want { // one round in any case
				t.Errorf("%+v: estimate %s", test, p.Estimate())
			}
			p.Before = func(_ *record.Case, g Progress) {
				if g.Remaining > test.budget || g.Remaining < 0 {
					t.Errorf("%+v: %s left", test, g.Remaining)
				}
			}
			start := time.Now()
			stop, err := p.Measure(t.Context(), nil, l.run, nil)
			took := time.Since(start)
			if test.forks == 0 { // as many as fit
				first := time.Duration(p.shuffle(0)[0].Wall) + ForkOverhead
				test.forks = int(test.budget / first)
				test.rounds = test.forks
			}
			why := "the budget is spent"
			if test.rounds == 20 {
				why = ""
			}
			if err != nil || len(l.runs) != test.forks || stop != (Stop{why, test.rounds}) {
				t.Errorf("%+v: %+v, %v after %d forks", test, stop, err, len(l.runs))
			}
			if took > test.budget && len(l.runs) > 3 {
				t.Errorf("%+v: took %s", test, took)
			}
		})
	}
}
