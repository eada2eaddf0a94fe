package sample

import (
	"fmt"
	"testing"
)

// TestWatcherWeight: what was seen has a weight that grows with it.
func TestWatcherWeight(t *testing.T) {
	w := &watcher{at: map[string]int{}, reasons: map[string]int{}}
	for i := range 1000 {
		w.look(int64(i), 1, []goroutine{{id: uint64(i), frames: []frame{{name: fmt.Sprintf("main.f%d", i), file: "x.go", line: i}}}})
	}
	if w.weight < 100_000 || w.weight > 1_000_000 {
		t.Errorf("1000 looks weigh %d bytes", w.weight)
	}
}
