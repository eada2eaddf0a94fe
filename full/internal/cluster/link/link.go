// Package link is what implementations of [cluster.Conn] share: whether there is a connection, who is notified of changes,
// and the errors of calls.
package link

import (
	"context"
	"errors"
	"sync"
)

// Errors of the calls of a connection.
var (
	ErrClosed    = errors.New("the connection is closed")
	ErrLost      = errors.New("the connection to the server is lost")
	ErrForbidden = errors.New("the server does not permit it")
)

// A Link is connected at first.
type Link struct {
	mu        sync.Mutex
	connected bool
	changed   chan struct{} // closed at the next change
	listeners []func(bool)
	news      []bool // changes that listeners have not got
	telling   bool
}

// New returns one that is connected.
func New() *Link { return &Link{connected: true, changed: make(chan struct{})} }

// Set says whether there is a connection. Another goroutine calls the listeners with each change, in order and one at a
// time.
func (l *Link) Set(connected bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.connected == connected {
		return
	}
	l.connected = connected
	close(l.changed)
	l.changed = make(chan struct{})
	l.news = append(l.news, connected)
	if !l.telling {
		l.telling = true
		go l.tell()
	}
}

// tell calls the listeners with all changes and returns.
func (l *Link) tell() {
	for {
		l.mu.Lock()
		if len(l.news) == 0 {
			l.telling = false
			l.mu.Unlock()
			return
		}
		connected, listeners := l.news[0], l.listeners
		l.news = l.news[1:]
		l.mu.Unlock()
		for _, f := range listeners {
			f(connected)
		}
	}
}

// Listen adds a listener.
func (l *Link) Listen(f func(connected bool)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listeners = append(l.listeners[:len(l.listeners):len(l.listeners)], f)
}

// Now returns whether there is a connection, and what is closed when that changes.
func (l *Link) Now() (connected bool, changed <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.connected, l.changed
}

// Wait returns when there is a connection, with what is closed when it is lost. Its error is the cause of the context's end.
func (l *Link) Wait(ctx context.Context) (lost <-chan struct{}, err error) {
	for {
		connected, changed := l.Now()
		if connected {
			return changed, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}
