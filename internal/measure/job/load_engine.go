package job

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/load"
)

// Engine returns the configuration of the load engine for a schedule. The seed is not set. It fails with all
// contradictions between the schedule and other options.
func (l *Load) Engine(s load.Schedule) (load.Config, error) {
	p := &exit.Problems{}
	c := load.Config{
		Schedule: s, Duration: l.Duration, Operations: uint64(max(l.Operations, 0)), Pace: load.Pace(l.Pace),
		Drain: l.Drain, Interval: l.Interval, MaxErrors: l.MaxErrors, Slowest: l.Slowest,
	}
	if d := lengthOf(s); d > 0 && !l.Given["duration"] && c.Operations == 0 {
		c.Duration = d
	}
	if c.Duration == 0 && c.Operations == 0 {
		p.Add("--duration 0s without --operations: the run has no end")
	}
	closed := s.String() == load.Schedule{}.String()
	c.Workers = 1
	n, err := strconv.Atoi(l.Workers)
	switch c.AutoWorkers = l.Workers == "auto" || l.Workers == "" && !closed; {
	case c.AutoWorkers && closed:
		p.Add("--workers auto needs a --rate: in a closed loop no operation is ever due")
	case c.AutoWorkers:
		c.MaxOutstanding = l.MaxOutstanding
	case l.Workers == "":
	case err != nil || n < 1 || n > 1e6:
		p.Add("--workers %q is neither auto nor a number from 1 to 1000000", l.Workers)
	default:
		c.Workers = n
	}
	p.AddError(parseOnLate(l.OnLate, &c))
	if closed && c.OnLate != load.LateCatchUp {
		p.Add("--on-late %s: nothing is late in a closed loop; give a --rate", l.OnLate)
	}
	return c, p.Err()
}

// parseOnLate reads catch-up, limit=2x, skip=10ms or fail=1s.
func parseOnLate(s string, c *load.Config) error {
	word, value, given := strings.Cut(s, "=")
	c.OnLate = load.OnLate(word)
	var err error
	switch c.OnLate {
	case load.LateCatchUp:
		if given {
			return fmt.Errorf("--on-late %q: catch-up takes no value", s)
		}
	case load.LateLimit:
		if given {
			c.Limit, err = strconv.ParseFloat(strings.TrimSuffix(value, "x"), 64)
			if err != nil || !(c.Limit > 1) || c.Limit > 1e6 {
				return fmt.Errorf("--on-late %q: want a multiple of the rate above 1, such as limit=2x", s)
			}
		}
	case load.LateSkip, load.LateFail:
		c.Skip, err = time.ParseDuration(value)
		if err != nil || c.Skip <= 0 {
			return fmt.Errorf("--on-late %q: want the limit of the lateness, such as %s=10ms", s, word)
		}
	default:
		return fmt.Errorf("--on-late %q is none of catch-up, limit=2x, skip=10ms, fail=1s", s)
	}
	return nil
}
