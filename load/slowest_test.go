package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// describing is a fake target whose workers say what operations are about.
type describing struct{ *fake }

func (d describing) Worker(ctx context.Context, n int) (Worker, error) {
	w, err := d.fake.Worker(ctx, n)
	if err != nil {
		return nil, err
	}
	return describer{w.(*fakeWorker)}, nil
}

type describer struct{ *fakeWorker }

func (w describer) AppendOperation(b []byte, part int) []byte {
	return fmt.Appendf(b, "/items/%d/%d?token=hunter2", w.k, part)
}

// lasting returns how long operation k takes: from 1 to 1000 ms, no two of a thousand the same.
func lasting(k uint64) time.Duration { return time.Duration(1+k*577%1000) * time.Millisecond }

// TestSlowest: of operations on several workers those that took longest are listed, with their
// times, their keys and without secrets.
func TestSlowest(t *testing.T) {
	for name, c := range map[string]Config{
		"open":   {Workers: 150, Schedule: Schedule{Rate: 100}, Duration: 4 * time.Second},
		"late":   {Workers: 7, Schedule: Schedule{Rate: 100}, Duration: 4 * time.Second, Drain: time.Minute},
		"closed": {Workers: 5, Operations: 400},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				var all []int64
				f := describing{&fake{do: func(ctx context.Context, _ int, k uint64, _ *Timer) error { return pause(ctx, lasting(k)) }}}
				c.Slowest = 20
				var l log
				got, err := runFake(t, t.Context(), f, c, l.sink)
				if err != nil {
					t.Fatal(err)
				}
				for _, i := range l.loads() {
					if (i.Slowest != nil) != i.Final {
						t.Errorf("final %v: %d operations are listed", i.Final, len(i.Slowest))
					}
				}
				if len(got.Slowest) != 20 {
					t.Fatalf("%d operations are listed", len(got.Slowest))
				}
				for k := range uint64(got.Completed) {
					all = append(all, int64(lasting(k)))
				}
				slices.SortFunc(all, func(a, b int64) int { return cmp.Compare(b, a) })
				for n := range got.Slowest {
					o := &got.Slowest[n]
					if o.Service() != int64(lasting(o.K)) || o.Start < o.Due || o.Due < 0 || o.End != o.Start+o.Service() || o.Name != "OP" || o.Class != "" || o.Part != "" {
						t.Errorf("%+v", o)
					}
					if name != "late" && o.Response() != all[n] {
						t.Errorf("number %d took %v, want %v", n, time.Duration(o.Response()), time.Duration(all[n]))
					}
					if name == "closed" && o.Due != o.Start {
						t.Errorf("due %d, sent %d in a closed loop", o.Due, o.Start)
					}
					if want := fmt.Sprintf("/items/%d/-1?token=***", o.K); o.Key != want {
						t.Errorf("key %q, want %q", o.Key, want)
					}
					if n > 0 && o.Response() > got.Slowest[n-1].Response() {
						t.Errorf("number %d is slower than the one before it", n)
					}
				}
				if most := latencyMax(got); got.Slowest[0].Response() != most {
					t.Errorf("the slowest took %d, the histogram has %d", got.Slowest[0].Response(), most)
				}
			})
		})
	}
}

// latencyMax returns the longest time of an operation from when it was due.
func latencyMax(i *Interval) (most int64) {
	for _, l := range i.Latencies {
		if l.Tag != record.TagLateness {
			most = max(most, l.Hist.Max())
		}
	}
	return most
}

// TestSlowestEnds: errors have class and status, abandoned operations are marked, and parts and pauses are distinguished.
func TestSlowestEnds(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := &fake{kinds: []string{"OP", "OP/part", "OP/other"}, do: func(ctx context.Context, _ int, k uint64, tm *Timer) error {
			switch k {
			case 0:
				pause(ctx, time.Second)
				return WithStatus("503", WithClass(ClassServer, errors.New("busy")))
			case 1:
				from := tm.Now()
				pause(ctx, 300*time.Millisecond)
				tm.Part(1, from, tm.Now(), nil)
				tm.Pause(ctx, time.Hour)
				from = tm.Now()
				pause(ctx, 200*time.Millisecond)
				tm.Part(2, from, tm.Now(), nil)
			case 2:
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}}
		c := Config{Workers: 3, Schedule: Schedule{Rate: 1}, Operations: 4, Drain: 3 * time.Hour, Slowest: 3}
		got, err := runFake(t, t.Context(), f, c, nil)
		if err != nil || len(got.Slowest) != 3 {
			t.Fatalf("%v, %+v", err, got.Slowest)
		}
		if o := got.Slowest[0]; o.K != 2 || !o.Unanswered || o.Class != "" || o.Response() < int64(3*time.Hour) {
			t.Errorf("given up: %+v", o)
		}
		if o := got.Slowest[1]; o.K != 0 || o.Unanswered || o.Class != ClassServer || o.Status != "503" || o.Response() != int64(time.Second) {
			t.Errorf("failed: %+v", o)
		}
		if o := got.Slowest[2]; o.K != 1 || o.Part != "OP/part" || o.PartTime != int64(300*time.Millisecond) || o.Paused != int64(time.Hour) || o.Service() != int64(500*time.Millisecond) {
			t.Errorf("paused: %+v", o)
		}
	})
}

// TestSlowestNone: nothing is listed unless it is asked for.
func TestSlowestNone(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		got, err := runFake(t, t.Context(), describing{&fake{}}, Config{Operations: 100}, nil)
		if err != nil || got.Completed != 100 || got.Slowest != nil {
			t.Errorf("%v, %+v", err, got)
		}
	})
	if err := (Config{Operations: 1, Slowest: 1001}).Validate(); err == nil || !strings.Contains(err.Error(), "1001 slowest") {
		t.Error(err)
	}
}

func TestShownKey(t *testing.T) {
	for _, c := range []struct{ key, want string }{
		{"user1", "user1"},
		{"", ""},
		{"a\xffb", "a\uFFFDb"},
		{"https://me:hunter2@h/x", "https://me:***@h/x"},
		{strings.Repeat("é", 200), strings.Repeat("é", 128) + "…"},
		{"a" + strings.Repeat("é", 200), "a" + strings.Repeat("é", 127) + "…"},
		{strings.Repeat("a", 250) + "?token=hunter2", strings.Repeat("a", 250) + "?token…"},
	} {
		if got := shown([]byte(c.key)); got != c.want {
			t.Errorf("%q is shown as %q, want %q", c.key, got, c.want)
		}
	}
}
