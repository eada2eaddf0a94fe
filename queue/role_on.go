//go:build queuedebug

package queue

import "sync/atomic"

// A role is a side of a queue that only one goroutine may use at a time. With the
// build tag queuedebug it panics when two do; without, it is nothing.
type role struct{ busy atomic.Bool }

// enter marks the side as in use. Handing a side over from one goroutine to
// another is allowed; being in it at the same time is not, nor from a callback.
func (r *role) enter(side string) {
	if !r.busy.CompareAndSwap(false, true) {
		panic("queue: two goroutines at once on the side of the single " + side)
	}
}

func (r *role) leave() { r.busy.Store(false) }
