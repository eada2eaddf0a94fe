package perfevent

import (
	"errors"
	"fmt"
	"time"
)

// Config selects what is sampled. The zero value samples the best available event at 997 Hz.
type Config struct {
	// Events are event names in perf's notation: cycles, instructions, cache-misses, cpu-clock, page-faults,
	// or r1A8 for a raw event of the processor. After a colon, u excludes the kernel, and p, pp, ppp or P
	// requests precision. Default: cycles with the highest precision, else cpu-clock.
	Events []string

	// Frequency is the number of samples of each event per second of CPU time. Default: 997, a prime, so
	// that sampling does not run in step with periodic work. The kernel may limit it; see Event.Frequency.
	Frequency int

	// Pages is the size of each processor's ring in pages, a power of two. Default: 256. If the kernel
	// refuses so much memory, the size is halved, down to 8; see Samples.Pages.
	Pages int

	// Stacks adds the user-mode call stack of each sample, read by frame pointers, which Go maintains on
	// amd64 and arm64; see [Samples.Stack]. A sample then costs more and takes up to 1 KiB of the ring.
	Stacks bool

	// Visit, if not nil, receives each sample in order of time, the mapping that contains its address or
	// nil if unknown, and its stack, which it must not retain. Samples.List then stays empty, so that
	// sampling for hours does not fill memory. Another goroutine calls it, before Close returns.
	Visit func(x Sample, m *Map, stack []uint64)

	// Delay and Duration keep the samples from Delay after the exec on, for Duration. Others are only
	// counted. Default: all are kept.
	Delay, Duration time.Duration
}

const (
	defaultFrequency = 997
	defaultPages     = 256
	minPages         = 8
	maxPages         = 1 << 16 // 256 MiB for each processor
)

// withDefaults returns c with its defaults and the events to try for each requested one. It fails for an
// invalid value.
func (c Config) withDefaults() (Config, [][]eventSpec, error) {
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
	if c.Pages < minPages || c.Pages > maxPages || c.Pages&(c.Pages-1) != 0 {
		err = errors.Join(err, fmt.Errorf("perfevent: %d pages: not a power of two between %d and %d", c.Pages, minPages, maxPages))
	}
	if c.Delay < 0 || c.Duration < 0 {
		err = errors.Join(err, fmt.Errorf("perfevent: negative delay %v or duration %v", c.Delay, c.Duration))
	}
	candidates, kindErr := candidates(c.Events)
	return c, candidates, errors.Join(err, kindErr)
}

// keeps reports whether Delay and Duration keep a sample taken that many ns after the exec.
func (c *Config) keeps(after int64) bool {
	return after >= int64(c.Delay) && (c.Duration == 0 || after < int64(c.Delay+c.Duration))
}
