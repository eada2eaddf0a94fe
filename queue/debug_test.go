//go:build queuedebug

package queue_test

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/queue"
)

// TestRolesAreWatched uses a side of each queue while it is in use. A callback is
// the simplest way to be there twice at the same time, and the surest.
func TestRolesAreWatched(t *testing.T) {
	for name, q := range all() {
		if name == "SPMC" || name == "MPMC" {
			continue
		}
		q.TryEnqueue(1)
		wantPanic(t, name+": TryDequeue in Drain", "consumer", func() {
			q.Drain(1, func(int) { q.TryDequeue() })
		})
		q.TryEnqueue(2)
		if v, ok := q.TryDequeue(); v != 2 || !ok {
			t.Errorf("%s: after the panic TryDequeue = %d, %v, want 2", name, v, ok)
		}
	}
	for name, q := range all() {
		f, ok := q.(interface{ Fill(int, func() int) int })
		if !ok {
			continue
		}
		wantPanic(t, name+": TryEnqueue in Fill", "producer", func() {
			f.Fill(1, func() int { q.TryEnqueue(1); return 2 })
		})
		if !q.TryEnqueue(3) {
			t.Errorf("%s: after the panic TryEnqueue fails", name)
		}
	}
	q := queue.NewSPSC[int](8)
	end := q.Buffered(4)
	wantPanic(t, "BufferedProducer in Fill", "producer", func() {
		q.Fill(1, func() int { end.TryEnqueue(1); return 2 })
	})
}

func wantPanic(t *testing.T, what, side string, f func()) {
	t.Helper()
	got, _ := panicOf(f).(string)
	if !strings.HasSuffix(got, "on the side of the single "+side) {
		t.Errorf("%s panics with %q", what, got)
	}
}
