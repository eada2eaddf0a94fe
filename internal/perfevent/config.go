package perfevent

import (
	"errors"
	"fmt"
	"time"
)

// Config says what is sampled. The zero value is good for most.
type Config struct {
	// Events are names as perf has them: cycles, instructions, cache-misses, cpu-clock, page-faults, …, r1A8 for the
	// processor's own; behind a colon u keeps the kernel out, and p, pp, ppp or P asks for precision. Default: cycles
	// as precise as possible, else cpu-clock.
	Events []string

	// Frequency is samples per second of CPU time, of each event. Default: 997, which does not keep step with
	// what a program does periodically. The kernel may allow less: see Event.Asked.
	Frequency int

	// Pages is how many pages of memory each processor has for samples, a power of two. Default: 256. Where
	// the kernel allows less it is halved, at most to 8: see Samples.Pages.
	Pages int

	// Stacks asks for the callers of each instruction in user mode, by frame pointers, which Go keeps on amd64
	// and arm64: [Samples.Stack]. A sample costs more then, and takes up to 1 KiB of its ring.
	Stacks bool

	// See, if it is not nil, gets the samples in the order of time and the part of a file that each was in, nil if
	// that is not known, and its stack, which is not the function's to keep. Samples.List stays empty then: what
	// is sampled for hours need not fit into memory. It is called by another goroutine, before Close returns.
	See func(x Sample, m *Map, stack []uint64)

	// Delay and Length choose the samples that are kept: from Delay after the exec on, for Length. Others are only
	// counted. Default: all.
	Delay, Length time.Duration
}

const (
	defaultFrequency = 997
	defaultPages     = 256
	leastPages       = 8
	mostPages        = 1 << 16 // 256 MiB for each processor
)

// prepared is a Config with its defaults, and its events.
func (c Config) prepared() (Config, [][]kind, error) {
	if c.Frequency == 0 {
		c.Frequency = defaultFrequency
	}
	if c.Pages == 0 {
		c.Pages = defaultPages
	}
	var err error
	if c.Frequency < 0 {
		err = errors.Join(err, fmt.Errorf("perfevent: a frequency of %d", c.Frequency))
	}
	if c.Pages < leastPages || c.Pages > mostPages || c.Pages&(c.Pages-1) != 0 {
		err = errors.Join(err, fmt.Errorf("perfevent: %d pages: not a power of two between %d and %d", c.Pages, leastPages, mostPages))
	}
	if c.Delay < 0 || c.Length < 0 {
		err = errors.Join(err, fmt.Errorf("perfevent: negative delay %v or length %v", c.Delay, c.Length))
	}
	ladders, kindErr := ladders(c.Events)
	return c, ladders, errors.Join(err, kindErr)
}

// keeps reports whether a sample counts that was taken so long after the exec.
func (c *Config) keeps(after int64) bool {
	return after >= int64(c.Delay) && (c.Length == 0 || after < int64(c.Delay+c.Length))
}
