package asm

import (
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/tarebench/tare/internal/process/perfevent"
)

// Name is the name of the profiler.
const Name = "asm"

// Detailed is the frequency of tare asm --detail in samples per second of CPU time, four times the default. It is
// odd, so that sampling does not run in step with periodic work.
const Detailed = 3989

// Few is the number of samples below which there is a warning. The standard error of a share of 10 % is then one
// percentage point.
const Few = 1000

// lossy is the share of lost samples above which there is a warning.
const lossy = 0.01

// Config is the configuration of sampling. The zero value uses the defaults.
type Config struct {
	// Events are event names in perf's notation, see perfevent.Config. The first one selects the hottest functions.
	// Default: cycles with the highest precision, else cpu-clock.
	Events []string

	// Frequency is the number of samples per second of CPU time. Default: 997.
	Frequency int

	// Delay and Length select the samples of a command: from Delay after its start, for Length. Default: all.
	Delay, Duration time.Duration

	// Stop kills the command after Delay + Length.
	Stop bool

	// Keep is the smallest share of the samples of any event for which a function's code is kept, 0 to 1. Default:
	// 0.002.
	Keep float64

	// Whole matches functions whose code is kept, whatever their share.
	Whole *regexp.Regexp
}

const defaultKeep = 0.002

// Validate returns all errors in c, except unknown events, which fail when they are opened.
func (c Config) Validate() error {
	var err error
	if c.Frequency < 0 {
		err = errors.Join(err, fmt.Errorf("asm: a frequency of %d", c.Frequency))
	}
	if c.Delay < 0 || c.Duration < 0 {
		err = errors.Join(err, fmt.Errorf("asm: negative delay %v or duration %v", c.Delay, c.Duration))
	}
	if c.Stop && c.Duration == 0 {
		err = errors.Join(err, errors.New("asm: stopping a command needs a duration"))
	}
	if !(c.Keep >= 0 && c.Keep <= 1) {
		err = errors.Join(err, fmt.Errorf("asm: a share of %v to keep is not between 0 and 1", c.Keep))
	}
	return err
}

func (c Config) events() perfevent.Config {
	return perfevent.Config{Events: c.Events, Frequency: c.Frequency, Delay: c.Delay, Duration: c.Duration}
}

// keep returns Keep or its default.
func (c Config) keep() float64 {
	if c.Keep == 0 {
		return defaultKeep
	}
	return c.Keep
}
