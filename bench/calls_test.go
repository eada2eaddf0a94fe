package bench

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

// fast is the fast path of Next.
func (w *Worker) fast() bool {
	if atomic.LoadInt32(&w.notice) == 0 {
		if w.left--; w.left >= 0 {
			return true
		}
	}
	return false
}

// TestCalls holds random calls, notifications and limits against a count and a limit.
func TestCalls(t *testing.T) {
	for range 2000 {
		seed := rand.Uint64()
		r := rand.New(rand.NewPCG(seed, 0))
		w := &Worker{next: 1}
		w.notify(entering)
		n, next, phase := int64(0), int64(1), entering
		for range 200 {
			switch k := r.IntN(20); {
			case k == 0 && phase > over: // several at once leave the last one
				phase -= 1 + r.Int64N(phase-over)
				w.notify(phase)
			case k == 1 && next-n > mostFast: // skip calls: a test cannot make so many
				skip := r.Int64N(int64(w.left) + 1)
				n += skip
				w.left -= int32(skip)
			}
			if n++; w.calls() != n-1 {
				t.Fatalf("seed %d: %d calls, want %d", seed, w.calls(), n-1)
			}
			latest := w.next
			switch fast := w.fast(); {
			case fast && (n >= next || phase < fresh):
				t.Fatalf("seed %d: call %d is fast; limit %d, phase %d", seed, n, next, phase)
			case !fast && n < next && phase == fresh && n != latest:
				t.Fatalf("seed %d: call %d is slow; limit %d", seed, n, next)
			case fast:
				continue
			}
			if w.beginSlow(); w.n != n {
				t.Fatalf("seed %d: call %d is counted as %d", seed, n, w.n)
			}
			if w.notified() != phase {
				t.Fatalf("seed %d: phase %d, want %d", seed, w.notified(), phase)
			}
			if r.IntN(4) == 0 {
				next = n + 1 // as after the end, and where Next panics
				continue
			}
			next = n + 1 + r.Int64N(10)
			if r.IntN(10) == 0 {
				next = never
			}
			if !w.endSlow(phase, next) {
				t.Fatalf("seed %d: there is no later phase than %d", seed, phase)
			}
			phase = fresh
		}
	}
}

// TestCallsTogether has another goroutine notify of phases while calls are made: the last one is not missed, none comes
// twice, and no call is lost.
func TestCallsTogether(t *testing.T) {
	for range 200 {
		w := &Worker{next: 1}
		w.notify(entering)
		var wg sync.WaitGroup
		wg.Go(func() {
			for p := tuning; p >= over; p-- {
				w.notify(p)
			}
		})
		for calls, seen := int64(1), fresh; seen != over; calls++ {
			if w.fast() {
				continue
			}
			if w.beginSlow(); w.n != calls {
				t.Fatalf("call %d is counted as %d", calls, w.n)
			}
			due := w.notified()
			if due != fresh && due >= seen {
				t.Fatalf("phase %d after %d", due, seen)
			}
			seen = min(seen, due)
			w.endSlow(due, calls+50)
		}
		wg.Wait()
	}
}
