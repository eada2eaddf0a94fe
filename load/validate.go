package load

import (
	"errors"
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/record"
)

// Defaults of a Config.
const (
	defaultWorkers     = 1
	defaultOutstanding = 1000
	defaultLimit       = 2
	defaultDrain       = 5 * time.Second
	defaultInterval    = time.Second
)

// shortestInterval limits the load of writing intervals.
const shortestInterval = time.Millisecond

// filled returns the configuration with the defaults in place of zeros.
func (c Config) filled() Config {
	set := func(d *time.Duration, to time.Duration) {
		if *d == 0 {
			*d = to
		}
	}
	set(&c.Drain, defaultDrain)
	set(&c.Interval, defaultInterval)
	if c.Workers == 0 {
		c.Workers = defaultWorkers
	}
	if c.MaxOutstanding == 0 {
		c.MaxOutstanding = max(defaultOutstanding, c.Workers)
	}
	if c.OnLate == "" {
		c.OnLate = LateCatchUp
	}
	if c.OnLate == LateLimit && c.Limit == 0 {
		c.Limit = defaultLimit
	}
	if c.Pace == "" {
		c.Pace = PaceHybrid
	}
	if c.Phase == "" {
		c.Phase = record.LoadRun
	}
	return c
}

// most returns the limit of workers.
func (c Config) most() int {
	if c.AutoWorkers {
		return max(c.MaxOutstanding, c.Workers)
	}
	return c.Workers
}

// Validate returns an error that lists everything invalid or contradictory in the
// configuration, one line each.
func (c Config) Validate() error {
	return errors.Join(c.checkSchedule(), c.checkEnd(), c.checkWorkers(), c.checkLate(), c.checkRest())
}

func (c Config) checkSchedule() error {
	if c.Schedule.closed() {
		return nil
	}
	return c.Schedule.pace(c.Seed).Validate()
}

func (c Config) checkEnd() error {
	var errs []error
	if c.Duration < 0 {
		errs = append(errs, fmt.Errorf("duration %v: must not be negative", c.Duration))
	}
	if c.Duration == 0 && c.Operations == 0 && !c.Schedule.ends() {
		errs = append(errs, errors.New("the load has no end: set a duration or a number of operations"))
	}
	if c.First+c.Operations < c.First {
		errs = append(errs, fmt.Errorf("%d operations from number %d: exceeds 64 bits", c.Operations, c.First))
	}
	return errors.Join(errs...)
}

func (c Config) checkWorkers() error {
	var errs []error
	if c.Workers < 0 {
		errs = append(errs, fmt.Errorf("%d workers: must be at least 1", c.Workers))
	}
	if c.MaxOutstanding < 0 {
		errs = append(errs, fmt.Errorf("at most %d outstanding: must be at least 1", c.MaxOutstanding))
	}
	if c.AutoWorkers && c.Schedule.closed() {
		errs = append(errs, errors.New("workers cannot be added as needed in a closed loop, where no operation is ever due: set a rate, or a number of workers"))
	}
	if c.AutoWorkers && c.MaxOutstanding > 0 && c.MaxOutstanding < c.Workers {
		errs = append(errs, fmt.Errorf("at most %d outstanding, but %d workers from the start", c.MaxOutstanding, c.Workers))
	}
	return errors.Join(errs...)
}

func (c Config) checkLate() error {
	var errs []error
	needsSkip := false
	switch c.OnLate {
	case "", LateCatchUp, LateLimit:
	case LateSkip, LateFail:
		needsSkip = true
	default:
		errs = append(errs, fmt.Errorf("on late %q: want %s, %s, %s or %s", c.OnLate, LateCatchUp, LateLimit, LateSkip, LateFail))
	}
	if c.Schedule.closed() && c.OnLate != "" && c.OnLate != LateCatchUp {
		errs = append(errs, fmt.Errorf("on late %s: nothing is ever late in a closed loop; set a rate", c.OnLate))
	}
	switch {
	case c.Limit != 0 && c.OnLate != LateLimit:
		errs = append(errs, fmt.Errorf("limit %gx: is for on late %s only", c.Limit, LateLimit))
	case c.OnLate == LateLimit && c.Limit != 0 && !(c.Limit > 1 && c.Limit <= 1e6):
		errs = append(errs, fmt.Errorf("limit %gx: must be above 1, or a backlog never ends, and at most 1e6", c.Limit))
	}
	switch {
	case needsSkip && c.Skip <= 0:
		errs = append(errs, fmt.Errorf("on late %s: the lateness limit must be above 0, not %v", c.OnLate, c.Skip))
	case !needsSkip && c.Skip != 0:
		errs = append(errs, fmt.Errorf("lateness limit %v: is for on late %s and %s only", c.Skip, LateSkip, LateFail))
	}
	return errors.Join(errs...)
}

func (c Config) checkRest() error {
	var errs []error
	if c.Pace != "" {
		if _, err := c.mode(); err != nil {
			errs = append(errs, err)
		}
	}
	if c.Share != nil && c.Share.ops == nil {
		errs = append(errs, errors.New("share: was not made by NewShare"))
	}
	if c.Drain < 0 {
		errs = append(errs, fmt.Errorf("drain %v: must not be negative", c.Drain))
	}
	if c.Interval != 0 && c.Interval < shortestInterval {
		errs = append(errs, fmt.Errorf("interval %v: must be at least %v", c.Interval, shortestInterval))
	}
	if c.MaxErrors < 0 {
		errs = append(errs, fmt.Errorf("at most %d errors: must not be negative (0 means no bound)", c.MaxErrors))
	}
	if c.Slowest < 0 || c.Slowest > mostSlowest {
		errs = append(errs, fmt.Errorf("the %d slowest operations: must be 0 to %d", c.Slowest, mostSlowest))
	}
	switch c.Phase {
	case "", record.LoadInsert, record.LoadWarmup, record.LoadRun:
	default:
		errs = append(errs, fmt.Errorf("phase %q: want %s, %s or %s", c.Phase, record.LoadInsert, record.LoadWarmup, record.LoadRun))
	}
	return errors.Join(errs...)
}

// mode returns how workers wait, as a pace.Mode.
func (c Config) mode() (pace.Mode, error) {
	switch c.Pace {
	case PaceHybrid:
		return pace.Hybrid, nil
	case PaceSleep:
		return pace.Sleep, nil
	case PaceSpin:
		return pace.Spin, nil
	}
	return 0, fmt.Errorf("pace %q: want %s, %s or %s", c.Pace, PaceHybrid, PaceSleep, PaceSpin)
}
