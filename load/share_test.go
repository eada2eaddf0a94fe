package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/record"
)

// latencyOf is how long operation k takes: 1 to 20 ms, never a multiple of a µs.
func latencyOf(k uint64) time.Duration {
	r := rand.New(rand.NewPCG(k, 1))
	return time.Millisecond + time.Duration(r.IntN(19_000))*time.Microsecond + 77
}

// anyOwners returns a pattern of n owners, each of which owns something.
func anyOwners(r *rand.Rand, n int) []int {
	owners := make([]int, n+r.IntN(20))
	for i := range owners {
		owners[i] = r.IntN(n)
		if i < n {
			owners[i] = i
		}
	}
	r.Shuffle(len(owners), func(i, j int) { owners[i], owners[j] = owners[j], owners[i] })
	return owners
}

func newShare(t testing.TB, owners []int, me int) *Share {
	t.Helper()
	s, err := NewShare(owners, me)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A sum adds up the lines of several load generators.
type sum struct {
	counts map[string]counts          // by interval
	hists  map[string]*hist.Histogram // by interval, kind and tag
}

func newSum() *sum { return &sum{map[string]counts{}, map[string]*hist.Histogram{}} }

func (s *sum) add(t *testing.T, l *log, whole *Interval) {
	t.Helper()
	for _, line := range l.lines {
		switch line := line.(type) {
		case *record.Load:
			checkIdentity(t, line)
			key := fmt.Sprint(line.Iter, line.Final)
			c := s.counts[key]
			c.scheduled += line.Scheduled
			c.started += line.Started
			c.completed += line.Completed
			c.unsent += line.Unsent
			c.dropped += line.Dropped
			c.unfinished += line.Unfinished
			s.counts[key] = c
		case *record.Hist:
			s.merge(t, fmt.Sprint(line.Iter, line.Name, line.Tag), decode(t, line))
		}
	}
	for _, l := range whole.Latencies {
		s.merge(t, fmt.Sprint("whole", l.Kind, l.Tag), l.Hist)
	}
}

func (s *sum) merge(t *testing.T, key string, h *hist.Histogram) {
	t.Helper()
	if s.hists[key] == nil {
		s.hists[key] = new(hist.Histogram)
	}
	if err := s.hists[key].Merge(h); err != nil {
		t.Fatal(err)
	}
}

// compare compares what the whole phase has, and with intervals what each of them has.
func (s *sum) compare(t *testing.T, want *sum, intervals bool) {
	t.Helper()
	if !intervals {
		for _, sum := range []*sum{s, want} {
			maps.DeleteFunc(sum.counts, func(key string, _ counts) bool { return !strings.HasSuffix(key, "true") })
			maps.DeleteFunc(sum.hists, func(key string, _ *hist.Histogram) bool { return !strings.HasPrefix(key, "whole") })
		}
	}
	for key, c := range want.counts {
		if s.counts[key] != c {
			t.Errorf("interval %s: %+v, want %+v", key, s.counts[key], c)
		}
	}
	if len(s.hists) != len(want.hists) || len(s.counts) != len(want.counts) {
		t.Errorf("%d histograms of %d intervals, want %d of %d", len(s.hists), len(s.counts), len(want.hists), len(want.counts))
	}
	for key, h := range want.hists {
		if s.hists[key] == nil {
			t.Errorf("no histogram %s", key)
			continue
		}
		a, err1 := s.hists[key].Encode()
		b, err2 := h.Encode()
		if err1 != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("histogram %s: %d values, want %d; %v, %v", key, s.hists[key].Count(), h.Count(), err1, err2)
		}
	}
}

// generators runs a phase on one load generator for each share at the same time; a nil share is
// all. It returns who sent each operation, and the sum of the lines. meanwhile is called by another
// goroutine, and may be nil.
func generators(t *testing.T, c Config, shares []*Share, meanwhile func()) (sentBy map[uint64][]int, s *sum) {
	t.Helper()
	var mu sync.Mutex
	sentBy = map[uint64][]int{}
	logs, wholes := make([]log, len(shares)), make([]*Interval, len(shares))
	c.Ready = startAt(clock.Now() + int64(10*time.Millisecond))
	var wg sync.WaitGroup
	for i, share := range shares {
		f := &fake{kinds: []string{"A", "B"}, prepare: func(_ int, k uint64) int { return int(k % 2) }}
		f.do = func(ctx context.Context, _ int, k uint64, _ *Timer) error {
			mu.Lock()
			sentBy[k] = append(sentBy[k], i)
			mu.Unlock()
			return pause(ctx, latencyOf(k))
		}
		c := c
		c.Share = share
		wg.Go(func() {
			var err error
			if wholes[i], err = run(t.Context(), f, c.filled(), logs[i].sink, bubble()); err != nil {
				t.Error(err)
			}
		})
	}
	if meanwhile != nil {
		meanwhile()
	}
	wg.Wait()
	s = newSum()
	for i := range shares {
		s.add(t, &logs[i], wholes[i])
	}
	return sentBy, s
}

// TestSharesAreExact: several load generators together count and record what one does, to the
// bucket and the interval, also if operations are reassigned while they run.
func TestSharesAreExact(t *testing.T) {
	r := random(t)
	rounds := 12
	if raceDetector {
		rounds = 4
	}
	reassigned := 0
	for round := range rounds {
		c := Config{
			Workers: 40, Duration: 2 * time.Second, First: oneOf[uint64](r, 0, 1<<40), Seed: r.Uint64(),
			Interval: 97*time.Millisecond + 333, // at which nothing is due
		}
		c.Schedule = oneOf(r,
			Schedule{Rate: 400}, Schedule{Rate: 400, Poisson: true}, Schedule{To: 400, Over: time.Second},
			Schedule{Steps: []Step{{Rate: 300, For: time.Second / 3}, {Rate: 0, For: time.Second / 5}, {Rate: 400}}})
		if r.IntN(3) == 0 {
			c.Operations = 1 + r.Uint64N(700)
		}
		n := 2 + r.IntN(4)
		inBubble(t, func(t *testing.T) {
			wantBy, want := generators(t, c, []*Share{nil}, nil)
			owners := anyOwners(r, n)
			var shares []*Share
			for me := range n {
				shares = append(shares, newShare(t, owners, me))
			}
			change := func() {
				for range r.IntN(4) {
					time.Sleep(time.Duration(r.Int64N(int64(500 * time.Millisecond))))
					synctest.Wait() // all wait: nothing is decided meanwhile
					from := uint64(0)
					for _, s := range shares {
						from = max(from, s.Decided())
					}
					if from == math.MaxUint64 || c.Operations > 0 && from >= c.Operations {
						return // one has ended
					}
					from += r.Uint64N(100)
					owners := anyOwners(r, n)
					for _, s := range shares {
						if err := s.Reassign(from, owners); err == nil {
							reassigned++
						} else if !strings.Contains(err.Error(), "have been reassigned") {
							t.Error(err)
						}
					}
				}
			}
			gotBy, got := generators(t, c, shares, change)
			// With a number of operations each ends when it has sent its own.
			got.compare(t, want, c.Operations == 0)
			if len(gotBy) != len(wantBy) {
				t.Errorf("%d operations were sent, want %d", len(gotBy), len(wantBy))
			}
			for k, by := range gotBy {
				if len(by) != 1 || len(wantBy[k]) != 1 {
					t.Errorf("operation %d was sent by %v, and by one alone %d times", k, by, len(wantBy[k]))
				}
			}
		})
		if t.Failed() {
			t.Fatalf("round %d: %d load generators, %+v", round, n, c)
		}
	}
	if reassigned == 0 && rounds > 4 {
		t.Error("nothing was reassigned")
	}
}

// TestShareIdentity runs shares of any schedule under any policy, cancelled and reassigned at any
// time: every line keeps the sums, and no operation is sent by who does not own it.
func TestShareIdentity(t *testing.T) {
	r := random(t)
	rounds := 100
	if raceDetector {
		rounds = 20
	}
	for i := range rounds {
		c, s := anyConfig(r), anyScenario(r)
		if c.Schedule.closed() {
			s.Service += time.Duration(c.Workers) * 200 * time.Microsecond
		}
		c.First = 0
		c.Share = newShare(t, anyOwners(r, 1+r.IntN(4)), 0)
		wait, owners := anyTime(r), anyOwners(r, 3)
		inBubble(t, func(t *testing.T) {
			time.AfterFunc(wait, func() {
				if err := c.Share.Reassign(c.Share.Decided()+50, owners); err != nil && !errors.Is(err, ErrTooLate) && c.Share.Decided() < math.MaxUint64-50 {
					t.Error(err)
				}
			})
			c.Ready = startAt(oneOf(r, 0, 0, clock.Now()+int64(2*time.Millisecond)))
			s.check(t, c)
		})
		if t.Failed() {
			t.Fatalf("round %d: %+v, %+v", i, c, s)
		}
	}
}

// TestShareLimit: a backlog of a share is sent at a multiple of the share's rate.
func TestShareLimit(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var sent []time.Duration
		begin := time.Now()
		f := &fake{do: func(ctx context.Context, n int, k uint64, tm *Timer) error {
			sent = append(sent, time.Since(begin))
			return stall(81, 205*time.Millisecond)(ctx, n, k, tm)
		}}
		c := Config{Schedule: Schedule{Rate: 400}, Duration: 2 * time.Second, OnLate: LateLimit, Share: newShare(t, []int{1, 0, 1, 1}, 0)}
		got, err := runFake(t, t.Context(), f, c, nil)
		if err != nil || got.Completed != 200 || got.TargetRate != 100 || got.BacklogMax != 20 {
			t.Fatalf("%+v, %v", got, err)
		}
		for i := 22; i < len(sent); i++ {
			if d := sent[i] - sent[i-1]; d < 5*time.Millisecond {
				t.Errorf("operation %d of the share was sent %v after the one before: the limit is 200/s", i, d)
			}
		}
	})
}

// TestShareSkip: what is too late is dropped and counted, and only what is the share's.
func TestShareSkip(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := Config{Schedule: Schedule{Rate: 400}, Duration: 2 * time.Second, OnLate: LateSkip, Skip: 50 * time.Millisecond, Share: newShare(t, []int{0, 1, 1, 1}, 0)}
		got, err := runFake(t, t.Context(), &fake{do: stall(80, 1205*time.Millisecond)}, c, nil)
		// As one load generator at 100/s, in TestLateSkip.
		if err != nil || got.Dropped != 115 || got.Completed != 85 || got.Unsent != 0 || got.Scheduled != 200 {
			t.Errorf("%+v, %v", got.Load, err)
		}
	})
}

// TestShareFail: the run ends when an operation of the share is too late.
func TestShareFail(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		c := Config{Schedule: Schedule{Rate: 400}, Duration: 20 * time.Second, OnLate: LateFail, Skip: 250 * time.Millisecond, Share: newShare(t, []int{0, 1, 1, 1}, 0)}
		got, err := runFake(t, t.Context(), &fake{do: stall(80, 305*time.Millisecond)}, c, nil)
		if !errors.Is(err, ErrLate) || got.Length != int64(505*time.Millisecond) {
			t.Errorf("%v after %v", err, time.Duration(got.Length))
		}
		checkIdentity(t, &got.Load)
	})
}

// TestShareClosed: in a closed loop with a number of operations each is sent by its owner, once.
func TestShareClosed(t *testing.T) {
	r := random(t)
	for range 20 {
		n, ops := 1+r.IntN(5), 1+r.Uint64N(500)
		first := oneOf[uint64](r, 0, 1000)
		owners := anyOwners(r, n)
		by := make([]atomic.Int64, ops)
		inBubble(t, func(t *testing.T) {
			total := int64(0)
			for me := range n {
				f := &fake{do: func(ctx context.Context, _ int, k uint64, _ *Timer) error {
					by[k-first].Add(1)
					if owner := owners[(k-first)%uint64(len(owners))]; owner != me {
						t.Errorf("operation %d of owner %d was sent by %d", k-first, owner, me)
					}
					return pause(ctx, time.Duration(k%3)*time.Microsecond+1)
				}}
				c := Config{Workers: 1 + r.IntN(4), Operations: ops, First: first, Share: newShare(t, owners, me)}
				got, err := runFake(t, t.Context(), f, c, nil)
				if err != nil {
					t.Fatal(err)
				}
				checkIdentity(t, &got.Load)
				total += got.Completed
			}
			if total != int64(ops) {
				t.Errorf("%d operations, want %d", total, ops)
			}
		})
		for k := range by {
			if n := by[k].Load(); n != 1 {
				t.Fatalf("%v: operation %d was sent %d times", owners, k, n)
			}
		}
	}
}

// TestShareOfNothing sends nothing and takes as long as the others.
func TestShareOfNothing(t *testing.T) {
	for _, s := range []Schedule{{Rate: 100}, {Rate: 100, Poisson: true}, {}} {
		inBubble(t, func(t *testing.T) {
			share := newShare(t, []int{0, 1}, 2)
			got, err := runFake(t, t.Context(), &fake{}, Config{Schedule: s, Duration: time.Second, Share: share}, nil)
			if err != nil || got.Scheduled != 0 || got.Length != int64(time.Second) {
				t.Errorf("%v: %+v, %v", s, got.Load, err)
			}
			if err := share.Reassign(1000, []int{2}); !errors.Is(err, ErrTooLate) {
				t.Errorf("%v: reassigned after the end: %v", s, err)
			}
		})
	}
}

func TestShareRefused(t *testing.T) {
	c := Config{Operations: 1, Share: new(Share)}
	if err := c.Validate(); err == nil || err.Error() != "share: was not made by NewShare" {
		t.Error(err)
	}
	if _, err := NewShare(nil, 0); err == nil || err.Error() != "load: share: the pattern of owners is empty" {
		t.Error(err)
	}
	c.Share = newShare(t, []int{0}, 0)
	if _, err := Run(t.Context(), nothing{}, c, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), nothing{}, c, nil); err == nil || !strings.Contains(err.Error(), "another phase has used it") {
		t.Errorf("a second phase: %v", err)
	}
	err := c.Share.Reassign(0, []int{1})
	if want := "load: share: operations from 0 on: those below 1 are decided already"; !errors.Is(err, ErrTooLate) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// startAt returns a Config.Ready of a time.
func startAt(at int64) func(context.Context) (int64, error) {
	return func(context.Context) (int64, error) { return at, nil }
}

// TestReady: operation 0 is due at that time. If it has passed, operations are late, and in a closed loop all begin at once.
func TestReady(t *testing.T) {
	for _, s := range []Schedule{{Rate: 100}, {}} {
		for _, in := range []time.Duration{3 * time.Second, 300 * time.Microsecond, -time.Second} {
			inBubble(t, func(t *testing.T) {
				now := clock.Now()
				var mu sync.Mutex
				var sent []int64
				f := &fake{do: func(ctx context.Context, _ int, k uint64, _ *Timer) error {
					mu.Lock()
					sent = append(sent, clock.Now())
					mu.Unlock()
					return pause(ctx, time.Millisecond)
				}}
				c := Config{Schedule: s, Workers: 2, Operations: 10, Ready: startAt(now + int64(in))}
				got, err := runFake(t, t.Context(), f, c, nil)
				want := now + int64(in)
				if err != nil || got.Start != want || slices.Min(sent) != max(want, now) || got.Completed != 10 {
					t.Errorf("%v, %v: began %v after the start, the first sent after %v; %v", s, in, time.Duration(got.Start-want), time.Duration(slices.Min(sent)-want), err)
				}
			})
		}
	}
}

// TestNotReady: the workers are closed, and nothing was measured.
func TestNotReady(t *testing.T) {
	f := &fake{}
	c := Config{Workers: 3, Operations: 1, Ready: func(context.Context) (int64, error) { return 0, errMine }}
	if got, err := Run(t.Context(), f, c, nil); got != nil || !errors.Is(err, errMine) || f.opened.Load() != 3 || f.closed.Load() != 3 {
		t.Errorf("%v, %v: %d workers, %d closed", got, err, f.opened.Load(), f.closed.Load())
	}
}

// TestCancelBeforeStart: a run that is cancelled before its start has sent nothing.
func TestCancelBeforeStart(t *testing.T) {
	for _, s := range []Schedule{{Rate: 100}, {}} {
		inBubble(t, func(t *testing.T) {
			begin := time.Now()
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { cancel(errMine) })
			c := Config{Schedule: s, Workers: 3, Duration: time.Second, Ready: startAt(clock.Now() + int64(time.Minute))}
			got, err := runFake(t, ctx, &fake{}, c, nil)
			if !errors.Is(err, errMine) || got.Scheduled != 0 || got.Started != 0 || time.Since(begin) != time.Second {
				t.Errorf("%v: %+v, %v after %v", s, got.Load, err, time.Since(begin))
			}
			checkIdentity(t, &got.Load)
		})
	}
}
