package calls

import (
	"errors"
	"fmt"
	"math"

	"github.com/tarebench/tare/internal/show/textpage"
)

// What the zero of a [Config] stands for.
const (
	DefaultTop   = 20
	DefaultDepth = 8
	DefaultShare = 0.01
	DefaultSteps = 40
)

// Config says how much a text shows. The zero value fits on a screen or two. JSON and
// the other formats have everything.
type Config struct {
	Top   int     // functions of a table; 0: DefaultTop, negative: all
	Depth int     // levels of the tree of calls; 0: DefaultDepth, negative: as many as there is room for
	Share float64 // of all time, up to 1: elements of the tree with less are only summed up; 0: DefaultShare, negative: none are
	Steps int     // of the execution path, calls of the same function in a row being one; 0: DefaultSteps, negative: all
	Name  string  // of the benchmark whose calls they are, for JSON

	// Selection orders the functions. With a focus, texts and pictures are of the stacks that it leaves.
	textpage.Selection
}

// Validate returns an error that names everything that cannot be.
func (c Config) Validate() error {
	var errs []error
	if math.IsNaN(c.Share) || c.Share > 1 {
		errs = append(errs, fmt.Errorf("share: %v is no share; want 0.01 for a hundredth", c.Share))
	}
	return errors.Join(errs...)
}

// filled returns c with defaults instead of zeros.
func (c Config) filled() Config {
	c.Top = fill(c.Top, DefaultTop)
	c.Depth = fill(c.Depth, DefaultDepth)
	c.Steps = fill(c.Steps, DefaultSteps)
	if c.Share == 0 {
		c.Share = DefaultShare
	}
	return c
}

func fill(n, zero int) int {
	switch {
	case n == 0:
		return zero
	case n < 0:
		return math.MaxInt
	}
	return n
}
