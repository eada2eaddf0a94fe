package load

import (
	"slices"
	"sync"
)

// places limits how many operations are sent at the same time once operations pause: a worker
// needs a place to send, gives it back for the time of a pause, and takes one again to go on.
// There are as many as ordinary workers; these own a place each until they give it back.
type places struct {
	mu       sync.Mutex
	free     int
	resuming []chan bool // operations whose pause is over: they come first
	starting []chan bool // operations that are due
	ended    bool        // nothing more is started
}

// take waits for a place. It returns false if done is closed before, or if the place is for the
// start of an operation and nothing more is started.
func (p *places) take(resume bool, done <-chan struct{}) bool {
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

// tryTake takes a place if one is free, to start an operation.
func (p *places) tryTake() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || p.free == 0 {
		return false
	}
	p.free--
	return true
}

// put gives a place back, or to who waits for one.
func (p *places) put() {
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
func (p *places) endStarts() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	for _, given := range p.starting {
		given <- false
	}
	p.starting = nil
}
