package sample

import (
	"fmt"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/profile/timerlog"
	"github.com/tarebench/tare/record"
)

// TestWatcherWeight: what was seen has a weight that grows with it.
func TestWatcherWeight(t *testing.T) {
	w := &watcher{at: map[string]int{}, reasons: map[string]int{}}
	for i := range 1000 {
		w.addSample(int64(i), 1, []goroutine{{id: uint64(i), site: &site{frames: []frame{{name: fmt.Sprintf("main.f%d", i), file: "x.go", line: i}}}}})
	}
	if w.weight < 100_000 || w.weight > 1_000_000 {
		t.Errorf("1000 looks weigh %d bytes", w.weight)
	}
}

// TestWatcherDue: one delayed sample does not delay the next ones. If all samples take long, they are taken less often.
func TestWatcherDue(t *testing.T) {
	const interval = 10 * time.Millisecond
	w := &watcher{interval: interval, at: map[string]int{}, reasons: map[string]int{}}
	for i, c := range []struct{ took, least, most time.Duration }{
		{300 * time.Millisecond, interval / 16, 2 * interval},
		{time.Millisecond, 50 * time.Millisecond / 16, 100 * time.Millisecond},
		{300 * time.Millisecond, 15 * time.Second / 16, 30 * time.Second},
	} {
		w.addSample(int64(i), int64(c.took), nil)
		if due := w.due(0, 0); due < c.least || due > c.most {
			t.Errorf("look %d took %v: the next is due after %v, want %v to %v", i, c.took, due, c.least, c.most)
		}
	}
}

// TestRunning: the time of running goroutines is in the description of a program, not that of waiting ones, and not of a
// benchmark's spans, to which no CPU time belongs.
func TestRunning(t *testing.T) {
	for _, c := range []struct {
		state uint64
		ran   []timerlog.Span
		want  int64
	}{{inRunning, nil, 200}, {inWaiting, nil, 0}, {inRunning, []timerlog.Span{{Begin: 0, End: 1000}}, 0}} {
		s := &fileContent{stacks: []stack{{}}, samples: []wallSample{{at: 100, goroutines: 1, changes: []change{{0, c.state, 1, 0}}}, {at: 200, goroutines: 1}}}
		r, err := buildResult(s, func(int) []frame { return []frame{{name: "main.f"}} }, record.Sampled{Mode: record.SampledWall, Source: record.SampledStacks, Window: record.AsmWhole, Interval: 100}, c.ran)
		if err != nil {
			t.Fatal(err)
		}
		if r.How.Running != c.want {
			t.Errorf("state %d, spans %v: %d ns, want %d", c.state, c.ran, r.How.Running, c.want)
		}
	}
}
