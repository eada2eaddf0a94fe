//go:build queuedebug

package queue

import "sync/atomic"

// A role is a side of a queue that only one goroutine may use at a time. It panics
// when two do with the build tag queuedebug; without, its methods do nothing.
type role struct{ busy atomic.Bool }

// checksRoles reports whether a misuse of a queue of this package panics.
const checksRoles = true

// enter marks the side as in use. It panics if it is in use already, also from a
// callback. Goroutines may use a side one after the other.
func (r *role) enter(side string) {
	if !r.busy.CompareAndSwap(false, true) {
		panic("queue: two goroutines at once on the side of the single " + side)
	}
}

func (r *role) leave() { r.busy.Store(false) }
