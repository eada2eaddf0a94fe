package sample

import (
	"errors"
	"fmt"
	"time"

	"github.com/tarebench/tare/record"
)

// Config says how to sample. The zero value suits most programs.
type Config struct {
	// Mode is record.SampledWall, all goroutines by the clock, or record.SampledCPU, by CPU time. Default: by the clock.
	Mode string

	// Interval is the mean time from sample to sample, with SampledCPU of each thread's CPU time; from 100 µs to 1 h, or to
	// 1 s of CPU time. Default: 10 ms. By the clock the time is random, from 1/16 to 31/16 of it, so that samples keep step
	// with nothing, and longer if samples would take more than 2 % of the time. By CPU time there is a whole number of
	// samples in a second, and the kernel's tick, often 4 ms, is the shortest interval of Go's CPU profiler.
	Interval time.Duration

	// Room is the room for samples in bytes, in shared memory or, if that has no room, on disk in os.TempDir. All of it is
	// reserved. From 64 KiB to 16 GiB. Default: 64 MiB, enough for hours of a program with few goroutines. Whenever half
	// of the remaining room is used up, samples become half as frequent.
	Room int64

	// Length is how long URL samples a program. Default: 10 s.
	Length time.Duration
}

const (
	defaultInterval = 10 * time.Millisecond
	leastInterval   = 100 * time.Microsecond
	mostInterval    = time.Hour
	mostCPUInterval = time.Second
	defaultRoom     = 64 << 20
	leastRoom       = 64 << 10
	mostRoom        = 16 << 30
	defaultLength   = 10 * time.Second
)

// Validate returns an error that names everything that is wrong.
func (c Config) Validate() error {
	_, err := c.prepared()
	return err
}

// prepared returns the Config with its defaults filled in.
func (c Config) prepared() (Config, error) {
	if c.Mode == "" {
		c.Mode = record.SampledWall
	}
	if c.Interval == 0 {
		c.Interval = defaultInterval
	}
	if c.Room == 0 {
		c.Room = defaultRoom
	}
	if c.Length == 0 {
		c.Length = defaultLength
	}
	var errs []error
	if c.Mode != record.SampledWall && c.Mode != record.SampledCPU {
		errs = append(errs, fmt.Errorf("sample: mode %q: want %s or %s", c.Mode, record.SampledWall, record.SampledCPU))
	}
	most, of := mostInterval, ""
	if c.Mode == record.SampledCPU {
		most, of = mostCPUInterval, " of CPU time"
	}
	if c.Interval < leastInterval || c.Interval > most {
		errs = append(errs, fmt.Errorf("sample: an interval of %v%s: want %v to %v", c.Interval, of, leastInterval, most))
	}
	if c.Room < leastRoom || c.Room > mostRoom {
		errs = append(errs, fmt.Errorf("sample: room for %d bytes: want %d to %d", c.Room, leastRoom, mostRoom))
	}
	if c.Length < 0 {
		errs = append(errs, fmt.Errorf("sample: a length of %v: want 0 or more", c.Length))
	}
	return c, errors.Join(errs...)
}
