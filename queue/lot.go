package queue

import (
	"slices"
	"sync"
	"sync/atomic"
)

// A lot is where goroutines sleep until they are woken, first come, first served.
//
// Nobody is forgotten, by Dekker's argument: who sleeps registers first and looks at
// the queue after; who changes the queue looks at parked after. Atomic operations
// are sequentially consistent, so one of the two sees the other. A wake-up that
// reaches somebody who no longer needs it is passed on.
type lot struct {
	parked atomic.Int32 // how many are registered
	mu     sync.Mutex
	spots  []*spot
	unused []*spot
}

// A spot is one registered goroutine.
type spot struct{ wake chan struct{} }

// join registers the caller.
func (l *lot) join() *spot {
	l.mu.Lock()
	defer l.mu.Unlock()
	var s *spot
	if n := len(l.unused); n > 0 {
		s, l.unused = l.unused[n-1], l.unused[:n-1]
	} else {
		s = &spot{wake: make(chan struct{}, 1)}
	}
	l.spots = append(l.spots, s)
	l.parked.Store(int32(len(l.spots)))
	return s
}

// wakeUp wakes up to n of those who are registered. To be called after every change
// for which somebody may wait.
func (l *lot) wakeUp(n int) {
	if l.parked.Load() != 0 {
		l.wakeParked(n)
	}
}

func (l *lot) wakeParked(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wakeLocked(n)
}

func (l *lot) wakeLocked(n int) {
	n = min(n, len(l.spots))
	for _, s := range l.spots[:n] {
		s.wake <- struct{}{} // has room: a spot is woken once
	}
	l.spots = slices.Delete(l.spots, 0, n)
	l.parked.Store(int32(len(l.spots)))
}

// quit takes back a registration. If a wake-up has come meanwhile, it is for
// somebody else.
func (l *lot) quit(s *spot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.spots, s); i >= 0 {
		l.spots = slices.Delete(l.spots, i, i+1)
		l.parked.Store(int32(len(l.spots)))
	} else {
		<-s.wake
		l.wakeLocked(1)
	}
	l.unused = append(l.unused, s)
}

// recycle takes back a spot whose wake-up was received.
func (l *lot) recycle(s *spot) {
	l.mu.Lock()
	l.unused = append(l.unused, s)
	l.mu.Unlock()
}
