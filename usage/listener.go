package usage

import (
	"fmt"
	"io"
	"sync"
)

// Listener receives the results of a task. It is called by the goroutine that
// measures, after the measurement.
type Listener interface{ Result(Usage) }

// ListenerFunc is a function that implements [Listener].
type ListenerFunc func(Usage)

// Result calls f.
func (f ListenerFunc) Result(u Usage) { f(u) }

// Printer is a Listener that prints the four lines of each result. It is safe for
// concurrent use.
type Printer struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewPrinter returns a Printer that writes to w.
func NewPrinter(w io.Writer) *Printer {
	if w == nil {
		panic("usage: NewPrinter: w is nil")
	}
	return &Printer{w: w}
}

// Result prints u.
func (p *Printer) Result(u Usage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := fmt.Fprintln(p.w, u); err != nil && p.err == nil {
		p.err = fmt.Errorf("usage: printing the results of %q: %w", u.Name, err)
	}
}

// Err returns the first error of w.
func (p *Printer) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}
