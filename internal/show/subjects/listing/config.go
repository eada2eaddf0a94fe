package listing

import (
	"errors"
	"fmt"
	"math"
	"regexp"

	"github.com/tarebench/tare/internal/binary/disasm"
)

// What the zero of a [Config] stands for.
const (
	DefaultHot    = 0.10
	DefaultTop    = 20
	DefaultMargin = 10
	DefaultMerge  = 32
	DefaultTooBig = 1000
)

// Syntax is a way to write instructions.
type Syntax string

// The syntaxes.
const (
	Go    = Syntax(disasm.Go)
	Intel = Syntax(disasm.Intel)
	ATT   = Syntax(disasm.ATT)
)

// Counts is the unit in which samples are shown.
type Counts string

// The units.
const (
	Percent Counts = "percent" // share of all samples of an event
	Raw     Counts = "raw"     // samples
	PerOp   Counts = "perop"   // ns of CPU time for each operation: samples × their period / operations
)

// Config says what a listing shows. The zero value is JMH's. Numbers for which 0 makes
// sense are asked for by a negative one.
type Config struct {
	Hot    float64 // regions with a larger share of the first event's samples are shown with their code, up to 1; 0: DefaultHot, negative: all. The hottest of the user's own code is always shown
	Top    int     // rows of a list; 0: DefaultTop, negative: all
	Margin int     // instructions shown before and behind those with samples; 0: DefaultMargin, negative: none
	Merge  int     // largest distance of regions that are joined, in instructions; 0: DefaultMerge, negative: 0
	TooBig int     // of regions with more instructions only those around the hottest are shown, unless Func selects them; 0: DefaultTooBig, negative: no limit
	Syntax Syntax  // "": Go
	Counts Counts  // "": Percent. PerOp falls back to Percent, with a warning, where events are no clock or operations were not counted

	Runtime bool // regions of the runtime, and of what runs benchmarks, are shown with their code; otherwise each is one line

	// Func, if set, selects functions by their full name: they are shown whole, instead
	// of the hottest regions.
	Func *regexp.Regexp
}

// Validate returns an error that names everything that cannot be.
func (c Config) Validate() error {
	var errs []error
	if math.IsNaN(c.Hot) || c.Hot > 1 {
		errs = append(errs, fmt.Errorf("hot: %v is no share; want 0.10 for a tenth", c.Hot))
	}
	switch c.Syntax {
	case "", Go, Intel, ATT:
	default:
		errs = append(errs, fmt.Errorf("syntax %q: not known; there are %s, %s and %s", c.Syntax, Go, Intel, ATT))
	}
	switch c.Counts {
	case "", Percent, Raw, PerOp:
	default:
		errs = append(errs, fmt.Errorf("counts %q: not known; there are %s, %s and %s", c.Counts, Percent, Raw, PerOp))
	}
	return errors.Join(errs...)
}

// filled returns c with defaults instead of zeros, and 0 instead of negative values.
func (c Config) filled() Config {
	switch {
	case c.Hot == 0:
		c.Hot = DefaultHot
	case c.Hot < 0:
		c.Hot = -1 // even a region without a sample of the first event has more
	}
	c.Top = fill(c.Top, DefaultTop, math.MaxInt)
	c.Margin = fill(c.Margin, DefaultMargin, 0)
	c.Merge = fill(c.Merge, DefaultMerge, 0)
	c.TooBig = fill(c.TooBig, DefaultTooBig, math.MaxInt)
	if c.Syntax == "" {
		c.Syntax = Go
	}
	if c.Counts == "" {
		c.Counts = Percent
	}
	return c
}

func fill(n, zero, negative int) int {
	switch {
	case n == 0:
		return zero
	case n < 0:
		return negative
	}
	return n
}
