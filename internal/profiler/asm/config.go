package asm

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/tarebench/tare/internal/perfevent"
	"github.com/tarebench/tare/record"
)

// Name is that of the profiler.
const Name = "asm"

// Detailed is the frequency of tare asm --detail, in samples per second of CPU time:
// four times as many as by default. It is odd, so as not to keep step with what a
// program does periodically.
const Detailed = 3989

// Doubts about samples.
const (
	CodeFewSamples    = "few-samples"    // so few that shares are rough
	CodeLostSamples   = "lost-samples"   // more than 1 % had no room
	CodeThrottled     = "throttled"      // the kernel paused sampling
	CodeSourceChanged = "source-changed" // files were written to since the program was built
	CodeUnreadable    = "unreadable"     // a file that was sampled cannot be read
)

// Few is the number of samples below which a doubt says so. Of a share of a tenth the
// standard error is then a point.
const Few = 1000

// lossy is the share of lost samples above which a doubt says so.
const lossy = 0.01

// Config says how to sample. The zero value is good for most.
type Config struct {
	// Events are names as perf has them, see perfevent.Config; the first decides what is hot. Default: cycles as
	// precise as possible, else cpu-clock.
	Events []string

	// Frequency is samples per second of CPU time. Default: 997.
	Frequency int

	// Delay and Length choose the samples of a command that count: from Delay after its start on, for Length.
	// Default: all.
	Delay, Length time.Duration

	// Stop ends a command when Length is over.
	Stop bool

	// Keep is the share of samples of any event from which on a function's code is kept, 0 to 1. Default: 0.002.
	Keep float64

	// Whole has the code of functions kept whose name matches, whatever their share.
	Whole *regexp.Regexp
}

const defaultKeep = 0.002

// Validate reports all that is wrong. The names of events are checked when they are opened.
func (c Config) Validate() error {
	var err error
	if c.Frequency < 0 {
		err = errors.Join(err, fmt.Errorf("asm: a frequency of %d", c.Frequency))
	}
	if c.Delay < 0 || c.Length < 0 {
		err = errors.Join(err, fmt.Errorf("asm: negative delay %v or length %v", c.Delay, c.Length))
	}
	if c.Stop && c.Length == 0 {
		err = errors.Join(err, errors.New("asm: to stop a command after a length takes a length"))
	}
	if !(c.Keep >= 0 && c.Keep <= 1) {
		err = errors.Join(err, fmt.Errorf("asm: a share of %v to keep is not between 0 and 1", c.Keep))
	}
	return err
}

func (c Config) events() perfevent.Config {
	return perfevent.Config{Events: c.Events, Frequency: c.Frequency, Delay: c.Delay, Duration: c.Length}
}

// keep is the share in force.
func (c Config) keep() float64 {
	if c.Keep == 0 {
		return defaultKeep
	}
	return c.Keep
}

// doubt is a warning about what was sampled.
func doubt(code, advice, format string, args ...any) *record.Warn {
	return &record.Warn{About: record.AboutFork, Code: code, Text: Name + ": " + fmt.Sprintf(format, args...), Advice: advice}
}
