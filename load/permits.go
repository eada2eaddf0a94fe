package load

import (
	"slices"
	"sync"
)

// permits limits how many operations are in flight at once when operations pause (a counting
// semaphore). A worker holds a permit while it sends, releases it for a pause, and acquires one
// again before it goes on. There is one for each ordinary worker, which holds it from the start.
type permits struct {
	mu       sync.Mutex
	free     int
	resuming []chan bool // operations whose pause is over: they come first
	starting []chan bool // operations that are due
	ended    bool        // nothing more is started
}

// take waits for a permit. It returns false if done is closed before, or if the permit is for the
// start of an operation and nothing more is started.
func (p *permits) take(resume bool, done <-chan struct{}) bool {
	p.mu.Lock()
	queue := &p.starting
	if resume {
		queue = &p.resuming
	}
	switch {
	case p.ended && !resume:
		p.mu.Unlock()
		return false
	case p.free > 0:
		p.free--
		p.mu.Unlock()
		return true
	}
	given := make(chan bool, 1)
	*queue = append(*queue, given)
	p.mu.Unlock()
	select {
	case ok := <-given:
		return ok
	case <-done:
	}
	p.mu.Lock()
	if i := slices.Index(*queue, given); i >= 0 {
		*queue = slices.Delete(*queue, i, i+1)
		p.mu.Unlock()
		return false
	}
	p.mu.Unlock()
	if <-given { // meanwhile
		p.put()
	}
	return false
}

// tryTake takes a permit if one is free, to start an operation.
func (p *permits) tryTake() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || p.free == 0 {
		return false
	}
	p.free--
	return true
}

// put gives a permit back, or to who waits for one.
func (p *permits) put() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, queue := range []*[]chan bool{&p.resuming, &p.starting} {
		if len(*queue) > 0 {
			(*queue)[0] <- true
			*queue = slices.Delete(*queue, 0, 1)
			return
		}
	}
	p.free++
}

// endStarts ends the waiting of operations that are due: they are left unsent.
func (p *permits) endStarts() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	for _, given := range p.starting {
		given <- false
	}
	p.starting = nil
}
