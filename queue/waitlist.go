package queue

import (
	"slices"
	"sync"
	"sync/atomic"
)

// A waitList holds sleeping goroutines and wakes them in first-in, first-out order.
//
// No wake-up is lost, by Dekker's argument: a goroutine registers first and reads
// the queue again before it sleeps; a goroutine that changes the queue reads parked
// after. Atomic operations are sequentially consistent, so one of the two sees the
// other. A wake-up that reaches a goroutine that no longer waits is passed on.
type waitList struct {
	parked  atomic.Int32 // how many are registered
	mu      sync.Mutex
	waiters []*waiter
	unused  []*waiter
}

// A waiter represents one registered goroutine.
type waiter struct{ wake chan struct{} }

// add registers the calling goroutine.
func (l *waitList) add() *waiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	var s *waiter
	if n := len(l.unused); n > 0 {
		s, l.unused = l.unused[n-1], l.unused[:n-1]
	} else {
		s = &waiter{wake: make(chan struct{}, 1)}
	}
	l.waiters = append(l.waiters, s)
	l.parked.Store(int32(len(l.waiters)))
	return s
}

// wakeUp wakes up to n registered goroutines. It must be called after every change
// for which a goroutine may wait.
func (l *waitList) wakeUp(n int) {
	if l.parked.Load() != 0 {
		l.wakeParked(n)
	}
}

func (l *waitList) wakeParked(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wakeLocked(n)
}

func (l *waitList) wakeLocked(n int) {
	n = min(n, len(l.waiters))
	for _, s := range l.waiters[:n] {
		s.wake <- struct{}{} // does not block: a waiter is woken once
	}
	l.waiters = slices.Delete(l.waiters, 0, n)
	l.parked.Store(int32(len(l.waiters)))
}

// remove cancels a registration. If a wake-up has arrived meanwhile, it is passed to
// another goroutine.
func (l *waitList) remove(s *waiter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.waiters, s); i >= 0 {
		l.waiters = slices.Delete(l.waiters, i, i+1)
		l.parked.Store(int32(len(l.waiters)))
	} else {
		<-s.wake
		l.wakeLocked(1)
	}
	l.unused = append(l.unused, s)
}

// recycle makes a waiter whose wake-up was received usable again.
func (l *waitList) recycle(s *waiter) {
	l.mu.Lock()
	l.unused = append(l.unused, s)
	l.mu.Unlock()
}
