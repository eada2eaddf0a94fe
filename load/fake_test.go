package load

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/record"
)

// bubble is the time of runs in a testing/synctest bubble.
func bubble() timing {
	return timing{cycles: new(clock.Cycles), mode: pace.Timer, fake: true}
}

// runFake is Run in a bubble's time.
func runFake(t *testing.T, ctx context.Context, target Target, c Config, sink Sink) (*Interval, error) {
	t.Helper()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	return run(ctx, target, c.filled(), sink, bubble())
}

// A fake is a target made of functions; those that are nil do nothing.
type fake struct {
	kinds   []string // default OP
	worker  func(ctx context.Context, n int) error
	prepare func(n int, k uint64) int
	do      func(ctx context.Context, n int, k uint64, t *Timer) error
	done    func(k uint64, err error) error
	close   func(n int) error

	opened, closed atomic.Int64
}

func (f *fake) Kinds() []string {
	if f.kinds == nil {
		return []string{"OP"}
	}
	return f.kinds
}

func (f *fake) Worker(ctx context.Context, n int) (Worker, error) {
	if f.worker != nil {
		if err := f.worker(ctx, n); err != nil {
			return nil, err
		}
	}
	f.opened.Add(1)
	return &fakeWorker{f: f, n: n}, nil
}

func (f *fake) Close() error { return nil }

type fakeWorker struct {
	f *fake
	n int
	k uint64
}

func (w *fakeWorker) Prepare(k uint64) int {
	w.k = k
	if w.f.prepare != nil {
		return w.f.prepare(w.n, k)
	}
	return 0
}

func (w *fakeWorker) Do(ctx context.Context, t *Timer) error {
	if w.f.do != nil {
		return w.f.do(ctx, w.n, w.k, t)
	}
	return nil
}

func (w *fakeWorker) Done(err error) error {
	if w.f.done != nil {
		return w.f.done(w.k, err)
	}
	return err
}

func (w *fakeWorker) Close() error {
	w.f.closed.Add(1)
	if w.f.close != nil {
		return w.f.close(w.n)
	}
	return nil
}

// takes returns an operation that takes a time, and ends early when cancelled.
func takes(d time.Duration) func(context.Context, int, uint64, *Timer) error {
	return func(ctx context.Context, _ int, _ uint64, _ *Timer) error { return pause(ctx, d) }
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A log keeps the lines of a run.
type log struct{ lines []record.Line }

func (l *log) sink(line record.Line) error {
	l.lines = append(l.lines, line)
	return nil
}

// loads returns the lines of intervals and phases.
func (l *log) loads() (all []*record.Load) {
	for _, line := range l.lines {
		if load, ok := line.(*record.Load); ok {
			all = append(all, load)
		}
	}
	return all
}

// warnings returns the codes of all warnings.
func (l *log) warnings() (codes []string) {
	for _, line := range l.lines {
		if w, ok := line.(*record.Warn); ok {
			codes = append(codes, w.Code)
		}
	}
	return codes
}

// latency returns the histogram of a kind and tag, which must be there.
func latency(t *testing.T, i *Interval, kind, tag string) *Latency {
	t.Helper()
	for n := range i.Latencies {
		if l := &i.Latencies[n]; l.Kind == kind && l.Tag == tag {
			return l
		}
	}
	t.Fatalf("no %s of %s in %v", tag, kind, i.Latencies)
	return nil
}

// checkIdentity holds a line to what must be true in all.
func checkIdentity(t *testing.T, l *record.Load) {
	t.Helper()
	if l.Scheduled != l.Started+l.Dropped+l.Unsent || l.Started != l.Completed+l.Unfinished {
		t.Errorf("the sums are wrong: %+v", l)
	}
	for _, n := range []int64{l.Scheduled, l.Started, l.Dropped, l.Unsent, l.Completed, l.Unfinished,
		l.UnsentOldest, l.UnfinishedOldest, l.Length, l.BacklogMax - l.Unsent} {
		if n < 0 {
			t.Errorf("a negative figure: %+v", l)
		}
	}
}

func decode(t *testing.T, line *record.Hist) *hist.Histogram {
	t.Helper()
	h, err := hist.Decode(line.Data)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// inBubble runs f in fake time.
func inBubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}
