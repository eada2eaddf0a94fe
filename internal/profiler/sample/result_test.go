package sample

import (
	"fmt"
	"testing"
	"time"
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

// TestWatcherDue: one look that was held up does not keep the next ones away; that all of them take long does.
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
