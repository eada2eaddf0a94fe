package sample

import (
	"errors"
	"fmt"
	"time"

	"github.com/tarebench/tare/record"
)

// Config says how to look. The zero value is good for most.
type Config struct {
	// Mode is record.SampledWall, all goroutines by the clock, or record.SampledCPU, by CPU time. Default: by the clock.
	Mode string

	// Interval is the time from look to look, of each thread's CPU time with SampledCPU; from 100 µs to 1 h, of CPU time to 1 s.
	// Default: 10 ms. Looks by the clock are at random distances, of a 16th to 31 16ths of it, so that they keep step with
	// nothing, and are taken less often where they would take more than 2 % of the time. Of CPU time, there is a whole
	// number of looks in a second. Go's own CPU profiler does no better than the kernel's tick, often 4 ms.
	Interval time.Duration

	// Room is how many bytes may be written about what was seen, of memory or, where shared memory has no room,
	// of disk in os.TempDir; all of them are reserved; from 64 KiB to 16 GiB. Default: 64 MiB, enough for hours of
	// a program with few goroutines. Whenever half of what was left is used up, looks become half as many.
	Room int64

	// Length is how long to look at a program that runs, by its address. Default: 10 s.
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

// Validate returns all that is wrong.
func (c Config) Validate() error {
	_, err := c.prepared()
	return err
}

// prepared is a Config with its defaults.
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
		errs = append(errs, fmt.Errorf("sample: for %v", c.Length))
	}
	return c, errors.Join(errs...)
}
