package pace

import "sync"

// Fake is a clock that moves only by Wait and Work: Wait sets it to the due time at
// once, and Work adds the time of an operation. It stands for one worker; for
// several, use a Group of mode Timer in a testing/synctest bubble. The zero value is
// at time 0. It is safe for concurrent use.
type Fake struct {
	mu      sync.Mutex
	now     int64
	late    int64
	stopped bool
}

// Now returns the fake time in nanoseconds.
func (f *Fake) Now() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

// Work adds ns nanoseconds to the time.
func (f *Fake) Work(ns int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now += ns
}

// Late makes each later Wait that has to wait return ns nanoseconds after due, like a
// late generator.
func (f *Fake) Late(ns int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.late = ns
}

// Stop makes every later Wait return ErrStopped.
func (f *Fake) Stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stopped = true
}

// Wait sets the time to due, or leaves it unchanged if due has passed.
func (f *Fake) Wait(due int64) (now int64, waited bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	waited = f.now < due
	if f.stopped {
		return f.now, waited, ErrStopped
	}
	if waited {
		f.now = due + f.late
	}
	return f.now, waited, nil
}
