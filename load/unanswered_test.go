package load

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// TestUnanswered: the system stops answering after a second. Every operation that was due and
// not answered is warned about, and has a lower bound of its latency in the record.
func TestUnanswered(t *testing.T) {
	for name, c := range map[string]Config{
		"each worker holds one": {Workers: 1, AutoWorkers: true, MaxOutstanding: 1000},
		"most are never sent":   {Workers: 2},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				f := &fake{do: func(ctx context.Context, _ int, k uint64, _ *Timer) error {
					if k < 100 {
						return pause(ctx, time.Millisecond)
					}
					<-ctx.Done()
					return ctx.Err()
				}}
				c.Schedule, c.Duration, c.Drain = Schedule{Rate: 100}, 3*time.Second, 2*time.Second
				var l log
				got, err := runFake(t, t.Context(), f, c, l.sink)
				if err != nil || got.Completed != 100 || got.Unfinished+got.Unsent != 200 {
					t.Fatalf("%+v, %v", got.Load, err)
				}
				for _, code := range []string{diagnosis.Unanswered, diagnosis.RateMissed} {
					if !slices.Contains(l.warnings(), code) {
						t.Errorf("no warning %s in %v", code, l.warnings())
					}
				}
				due, sent := waitsOf(got.Latencies)
				if n := due.Hist.Count(); n != 200 || due.Kind != "OP" {
					t.Errorf("%s: %d of 200 operations have waited since they were due", due.Kind, n)
				}
				// Operation 100 is due at 1 s, and the operations are given up at 5 s.
				if oldest := time.Duration(due.Hist.Max()); oldest < 3990*time.Millisecond || oldest > 4010*time.Millisecond {
					t.Errorf("the oldest has waited %v, want 4s", oldest)
				}
				if n := sent.Hist.Count(); n != got.Unfinished {
					t.Errorf("%d of %d operations in flight have waited since they were sent", n, got.Unfinished)
				}
				if sent.Hist.Max() > due.Hist.Max() || sent.Hist.Max() < int64(2*time.Second) {
					t.Errorf("the oldest was in flight for %v", time.Duration(sent.Hist.Max()))
				}
			})
		})
	}
}

func waitsOf(all []Latency) (due, sent Latency) {
	for _, l := range all {
		switch l.Tag {
		case record.TagUnanswered:
			due = l
		case record.TagUnansweredService:
			sent = l
		}
	}
	return due, sent
}

// TestUnansweredKinds: an operation in flight has its kind, one that was never sent may be of
// any.
func TestUnansweredKinds(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		f := &fake{
			kinds:   []string{"READ", "UPDATE"},
			prepare: func(_ int, k uint64) int { return int(k % 2) },
			do: func(ctx context.Context, _ int, k uint64, _ *Timer) error {
				if k == 5 {
					<-ctx.Done()
				}
				return ctx.Err()
			},
		}
		var l log
		got, err := runFake(t, t.Context(), f, Config{Schedule: Schedule{Rate: 10}, Duration: time.Second, Drain: time.Second}, l.sink)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, x := range got.Latencies {
			if strings.HasPrefix(x.Tag, record.TagUnanswered) {
				lines = append(lines, x.Kind+" "+x.Tag)
			}
		}
		if want := []string{"UPDATE unanswered", "UPDATE unanswered-service", "ANY unanswered"}; !slices.Equal(lines, want) {
			t.Errorf("%q, want %q", lines, want)
		}
	})
}

// TestAllAnswered: a run whose operations were all answered says nothing of others.
func TestAllAnswered(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var l log
		got, err := runFake(t, t.Context(), &fake{do: takes(time.Millisecond)}, Config{Schedule: Schedule{Rate: 100}, Duration: time.Second}, l.sink)
		if due, sent := waitsOf(got.Latencies); err != nil || due.Hist != nil || sent.Hist != nil || slices.Contains(l.warnings(), diagnosis.Unanswered) {
			t.Errorf("%v %v, warnings %v, %v", due, sent, l.warnings(), err)
		}
	})
}
