package sample

import (
	"errors"
	"fmt"
	"time"

	"github.com/tarebench/tare/record"
)

// Config is the configuration of sampling. The zero value suits most programs.
type Config struct {
	// Mode is record.SampledWall for all goroutines by wall time, or record.SampledCPU for CPU time. Default:
	// SampledWall.
	Mode string

	// Interval is the mean time between samples; with SampledCPU it is CPU time of each thread. From 100 µs to 1 h,
	// or to 1 s of CPU time. Default: 10 ms. By wall time the intervals are random, from 1/16 to 31/16 of Interval,
	// so that samples are not in step with the program, and longer if samples would take more than 2 % of the time.
	// By CPU time there is a whole number of samples per second, and the kernel's tick, often 4 ms, is the shortest
	// interval of Go's CPU profiler.
	Interval time.Duration

	// Capacity is the capacity for samples in bytes, from 64 KiB to 16 GiB. It is reserved in shared memory or, if that
	// is too small, on disk in os.TempDir. Default: 64 MiB, enough for hours of a program with few goroutines. Each
	// time half of the remaining room is used, the sampling rate is halved.
	Capacity int64

	// Duration is how long URL samples. Default: 10 s.
	Duration time.Duration
}

const (
	defaultInterval = 10 * time.Millisecond
	minInterval     = 100 * time.Microsecond
	maxInterval     = time.Hour
	maxCPUInterval  = time.Second
	defaultCapacity = 64 << 20
	minCapacity     = 64 << 10
	maxCapacity     = 16 << 30
	defaultDuration = 10 * time.Second
)

// Validate returns all errors in c.
func (c Config) Validate() error {
	_, err := c.withDefaults()
	return err
}

// withDefaults returns c with its defaults.
func (c Config) withDefaults() (Config, error) {
	if c.Mode == "" {
		c.Mode = record.SampledWall
	}
	if c.Interval == 0 {
		c.Interval = defaultInterval
	}
	if c.Capacity == 0 {
		c.Capacity = defaultCapacity
	}
	if c.Duration == 0 {
		c.Duration = defaultDuration
	}
	var errs []error
	if c.Mode != record.SampledWall && c.Mode != record.SampledCPU {
		errs = append(errs, fmt.Errorf("sample: mode %q: want %s or %s", c.Mode, record.SampledWall, record.SampledCPU))
	}
	most, of := maxInterval, ""
	if c.Mode == record.SampledCPU {
		most, of = maxCPUInterval, " of CPU time"
	}
	if c.Interval < minInterval || c.Interval > most {
		errs = append(errs, fmt.Errorf("sample: an interval of %v%s: want %v to %v", c.Interval, of, minInterval, most))
	}
	if c.Capacity < minCapacity || c.Capacity > maxCapacity {
		errs = append(errs, fmt.Errorf("sample: room for %d bytes: want %d to %d", c.Capacity, minCapacity, maxCapacity))
	}
	if c.Duration < 0 {
		errs = append(errs, fmt.Errorf("sample: a duration of %v: want 0 or more", c.Duration))
	}
	return c, errors.Join(errs...)
}
