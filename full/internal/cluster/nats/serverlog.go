package nats

import (
	"fmt"
	"sync"
)

// startupLog keeps the first error with which a server fails to start. A server has no other way to tell.
type startupLog struct {
	mu  sync.Mutex
	err error
}

func (l *startupLog) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Fatalf is called where a server of its own would exit.
func (l *startupLog) Fatalf(format string, v ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = fmt.Errorf(format, v...)
	}
}

func (l *startupLog) Noticef(string, ...any) {}
func (l *startupLog) Warnf(string, ...any)   {}
func (l *startupLog) Errorf(string, ...any)  {}
func (l *startupLog) Debugf(string, ...any)  {}
func (l *startupLog) Tracef(string, ...any)  {}
