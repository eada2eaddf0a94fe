package usage

import (
	"fmt"
	"io"
	"sync"
)

// Listener receives the results of a task: Usage's Real, User, Sys and Bytes, and
// the rest. It is called by the goroutine that measures, after the measurement.
type Listener interface{ Result(Usage) }

// ListenerFunc is a function that listens.
type ListenerFunc func(Usage)

// Result calls f.
func (f ListenerFunc) Result(u Usage) { f(u) }

// Printer is the Listener that prints the four lines of each result. It may be
// used from several goroutines.
type Printer struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewPrinter returns a Printer to w.
func NewPrinter(w io.Writer) *Printer { return &Printer{w: w} }

// Result prints u.
func (p *Printer) Result(u Usage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := fmt.Fprintln(p.w, u); err != nil && p.err == nil {
		p.err = fmt.Errorf("usage: printing the results of %q: %w", u.Name, err)
	}
}

// Err is the first error of w, which Result has nobody to return to.
func (p *Printer) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}
