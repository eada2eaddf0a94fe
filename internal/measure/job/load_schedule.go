package job

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/load"
)

// kinds are the values of --arrivals besides poisson, with the option that makes a schedule of the kind. All but
// constant only confirm what that option says.
var kinds = map[string]string{
	"constant": "--rate 5000/s", "ramp": "--rate 1000..5000", "steps": "--steps 1000/s:10s,2000/s:10s", "replay": "--replay FILE",
}

// Scheduled returns the options that say when operations are due. Without any the loop is closed, or a scenario's file
// says it.
func (l *Load) Scheduled() []string { return l.Set("rate", "steps", "replay", "search", "rates") }

// Schedule returns the schedule of the run, and of its first step if there are several. It is empty for a closed loop.
// It reads the file of Replay.
func (l *Load) Schedule() (load.Schedule, error) {
	return l.schedule(func(name string) ([]time.Duration, error) {
		f, err := input.File(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return pace.Read(f, name)
	})
}

func (l *Load) schedule(replay func(name string) ([]time.Duration, error)) (s load.Schedule, err error) {
	if all := l.Scheduled(); len(all) > 1 {
		return s, fmt.Errorf("--%s contradict each other", strings.Join(all, " and --"))
	}
	kind, err := l.fill(&s, replay)
	if err != nil {
		return s, err
	}
	if l.Ramp != 0 && kind != "ramp" {
		return s, errors.New("--ramp is the time of a --rate A..B")
	}
	s.Poisson = l.Arrivals == "poisson"
	switch needs := kinds[l.Arrivals]; {
	case l.Arrivals == "" || l.Arrivals == kind:
	case s.Poisson && kind == "":
		return s, errors.New("--arrivals poisson needs a --rate")
	case s.Poisson && kind == "replay":
		return s, errors.New("--arrivals poisson and --replay contradict each other: its due times are given")
	case s.Poisson || l.Arrivals == "constant" && (kind == "steps" || kind == "ramp"): // these are evenly spaced, too
	case needs == "":
		return s, fmt.Errorf("--arrivals %q is none of constant, poisson, ramp, steps, replay", l.Arrivals)
	default:
		return s, fmt.Errorf("--arrivals %s needs %s", l.Arrivals, needs)
	}
	return s, nil
}

// fill reads the option that makes the schedule and returns its kind, "" if there is none. A ramp without a time of its
// own lasts as long as the run.
func (l *Load) fill(s *load.Schedule, replay func(string) ([]time.Duration, error)) (kind string, err error) {
	switch {
	case l.Steps != "":
		if s.Steps, err = parseSteps(l.Steps); err != nil {
			return "", fmt.Errorf("--steps: %w", err)
		}
		return "steps", nil
	case l.Replay != "":
		if s.Times, err = replay(l.Replay); err != nil {
			return "", fmt.Errorf("--replay: %s", strings.TrimPrefix(err.Error(), "replay: "))
		}
		return "replay", nil
	case len(l.Search) > 0:
		if s.Rate, err = pace.ParseRate(l.Start); err != nil {
			return "", fmt.Errorf("--start: %w", err)
		}
		return "constant", nil
	case l.Rates != "":
		rates, err := pace.ParseRates(l.Rates)
		if err != nil {
			return "", fmt.Errorf("--rates: %w", err)
		}
		s.Rate = rates[0]
		return "constant", nil
	case l.Rate == "":
		return "", nil
	}
	from, to, ramp := strings.Cut(l.Rate, "..")
	if s.Rate, err = pace.ParseRate(from); err != nil {
		return "", fmt.Errorf("--rate: %w", err)
	}
	if !ramp {
		return "constant", nil
	}
	if s.To, err = pace.ParseRate(to); err != nil {
		return "", fmt.Errorf("--rate: %w", err)
	}
	if s.Over = l.Ramp; s.Over == 0 {
		s.Over = l.Duration
	}
	if s.Over <= 0 {
		return "", errors.New("--rate A..B needs the time that it takes: --ramp or --duration")
	}
	return "ramp", nil
}

// parseSteps reads 1000/s:10s,2000/s:10s.
func parseSteps(s string) ([]load.Step, error) {
	var steps []load.Step
	for _, part := range strings.Split(s, ",") {
		rate, length, ok := strings.Cut(part, ":")
		if !ok {
			return nil, fmt.Errorf("%q is not a rate and a time such as 1000/s:10s", part)
		}
		r, err := pace.ParseRate(rate)
		if err != nil {
			return nil, err
		}
		d, err := time.ParseDuration(length)
		if err != nil || d <= 0 {
			return nil, fmt.Errorf("%q: %q is not a time above 0 such as 10s", part, length)
		}
		steps = append(steps, load.Step{Rate: r, For: d})
	}
	return steps, nil
}

// lengthOf returns how long a schedule lasts. It returns 0 for one without an end.
func lengthOf(s load.Schedule) time.Duration {
	var d time.Duration
	for _, x := range s.Steps {
		d += x.For
	}
	if n := len(s.Times); n > 0 {
		d = s.Times[n-1].Truncate(time.Millisecond) + time.Millisecond // what is due at the end is due within it
	}
	return d
}

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
