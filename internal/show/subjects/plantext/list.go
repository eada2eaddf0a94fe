package plantext

import (
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"
)

// Lister writes the names of benchmarks, each once whatever its sides and GOMAXPROCS, as a line of package and name.
type Lister struct {
	w    io.Writer
	said map[string]bool
	err  error // the first of writing
}

// NewLister returns a Lister that writes to w.
func NewLister(w io.Writer) *Lister { return &Lister{w: w, said: map[string]bool{}} }

// Add writes the name of a benchmark, unless it is written already.
func (l *Lister) Add(c *record.Case) {
	line := c.Pkg + " " + c.Name
	if !l.said[line] {
		l.said[line] = true
		l.line(line)
	}
}

// Close writes those that failed, with why, and returns the first error of all writing.
func (l *Lister) Close(lost []string) error {
	for _, x := range lost {
		l.line(termtext.OneLine(x))
	}
	return l.err
}

func (l *Lister) line(text string) {
	if _, err := fmt.Fprintln(l.w, termtext.Visible(redact.Name(text))); err != nil && l.err == nil {
		l.err = err
	}
}
