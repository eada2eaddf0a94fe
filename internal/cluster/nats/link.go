package nats

import (
	"context"
	"sync"
)

// link is whether there is a connection.
type link struct {
	mu        sync.Mutex
	connected bool
	changed   chan struct{} // closed at the next change
	listeners []func(bool)
}

func newLink() *link { return &link{connected: true, changed: make(chan struct{})} }

// set tells all listeners of a change. Calls are made one at a time.
func (l *link) set(connected bool) {
	l.mu.Lock()
	if l.connected == connected {
		l.mu.Unlock()
		return
	}
	l.connected = connected
	close(l.changed)
	l.changed = make(chan struct{})
	listeners := l.listeners
	l.mu.Unlock()
	for _, f := range listeners {
		f(connected)
	}
}

// listen adds a listener.
func (l *link) listen(f func(bool)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listeners = append(l.listeners[:len(l.listeners):len(l.listeners)], f)
}

// now returns whether there is a connection, and what is closed when that changes.
func (l *link) now() (connected bool, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.connected, l.changed
}

// wait returns when there is a connection, or with the cause of the context's end.
func (l *link) wait(ctx context.Context) error {
	for {
		connected, changed := l.now()
		if connected {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
