package loadrun

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/load"
)

// ParseRate reads 5000, 5000/s, 5k/s, 300/m or 5/10s as operations per second.
func ParseRate(s string) (float64, error) { return pace.ParseRate(s) }

// parseSteps reads 1000/s:10s,2000/s:10s.
func parseSteps(s string) ([]load.Step, error) {
	var steps []load.Step
	for _, part := range strings.Split(s, ",") {
		rate, length, ok := strings.Cut(part, ":")
		if !ok {
			return nil, fmt.Errorf("%q is not a rate and a time such as 1000/s:10s", part)
		}
		r, err := ParseRate(rate)
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

// The values of --arrivals. The last three only confirm what other flags say.
const (
	arrivalsConstant = "constant"
	arrivalsPoisson  = "poisson"
	arrivalsRamp     = "ramp"
	arrivalsSteps    = "steps"
	arrivalsReplay   = "replay"
)

// arrivalsFlag returns the flag that makes a schedule of a kind.
func arrivalsFlag(kind string) string {
	switch kind {
	case arrivalsRamp:
		return "--rate 1000..5000"
	case arrivalsSteps:
		return "--steps 1000/s:10s,2000/s:10s"
	case arrivalsReplay:
		return "--replay FILE"
	}
	return "--rate 5000/s"
}

// schedule returns the schedule of the run. It is empty for a closed loop. A ramp
// without a time of its own lasts as long as the run.
func (o *Options) schedule(duration time.Duration) (load.Schedule, error) {
	var s load.Schedule
	var given []string
	for _, x := range [...]struct{ name, value string }{{"--rate", o.Rate}, {"--steps", o.Steps}, {"--replay", o.Replay}} {
		if x.value != "" {
			given = append(given, x.name)
		}
	}
	if len(given) > 1 {
		return s, fmt.Errorf("%s contradict each other", strings.Join(given, " and "))
	}
	kind, err := o.fill(&s, duration)
	if err != nil {
		return s, err
	}
	if o.Ramp != 0 && kind != arrivalsRamp {
		return s, errors.New("--ramp is the time of a --rate A..B")
	}
	switch o.Arrivals {
	case "", kind:
	case arrivalsPoisson:
		switch kind {
		case "":
			return s, errors.New("--arrivals poisson needs a --rate")
		case arrivalsReplay:
			return s, errors.New("--arrivals poisson and --replay contradict each other: its due times are given")
		}
		s.Poisson = true
	case arrivalsConstant, arrivalsRamp, arrivalsSteps, arrivalsReplay:
		if o.Arrivals != arrivalsConstant || kind != arrivalsSteps && kind != arrivalsRamp { // these are evenly spaced, too
			return s, fmt.Errorf("--arrivals %s needs %s", o.Arrivals, arrivalsFlag(o.Arrivals))
		}
	default:
		return s, fmt.Errorf("--arrivals %q is none of constant, poisson, ramp, steps, replay", o.Arrivals)
	}
	return s, nil
}

// fill reads the flag that makes the schedule and returns its kind, "" if there is none.
func (o *Options) fill(s *load.Schedule, duration time.Duration) (kind string, err error) {
	switch {
	case o.Steps != "":
		if s.Steps, err = parseSteps(o.Steps); err != nil {
			return "", fmt.Errorf("--steps: %w", err)
		}
		return arrivalsSteps, nil
	case o.Replay != "":
		f, err := input.File(o.Replay)
		if err == nil {
			defer f.Close()
			s.Times, err = pace.Read(f, o.Replay)
		}
		if err != nil {
			return "", fmt.Errorf("--replay: %s", strings.TrimPrefix(err.Error(), "replay: "))
		}
		return arrivalsReplay, nil
	case o.Rate == "":
		return "", nil
	}
	from, to, ramp := strings.Cut(o.Rate, "..")
	if s.Rate, err = ParseRate(from); err != nil {
		return "", fmt.Errorf("--rate: %w", err)
	}
	if !ramp {
		return arrivalsConstant, nil
	}
	if s.To, err = ParseRate(to); err != nil {
		return "", fmt.Errorf("--rate: %w", err)
	}
	if s.Over = o.Ramp; s.Over == 0 {
		s.Over = duration
	}
	if s.Over <= 0 {
		return "", errors.New("--rate A..B needs the time that it takes: --ramp or --duration")
	}
	return arrivalsRamp, nil
}

// warmupSchedule returns the schedule of the warm-up: the rate with which the run begins,
// or the mean rate of a replay.
func warmupSchedule(s load.Schedule) load.Schedule {
	switch {
	case len(s.Steps) > 0 && s.Steps[0].Rate == 0 && s.Steps[0].Ramp:
		return load.Schedule{Rate: s.Steps[0].To / 2, Poisson: s.Poisson}
	case len(s.Steps) > 0:
		return load.Schedule{Rate: s.Steps[0].Rate, Poisson: s.Poisson}
	case len(s.Times) > 0:
		last := s.Times[len(s.Times)-1]
		if last <= 0 {
			return load.Schedule{}
		}
		return load.Schedule{Rate: float64(len(s.Times)) / last.Seconds()}
	}
	return load.Schedule{Rate: s.Rate, Poisson: s.Poisson}
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

// due estimates how many operations a schedule has within a time. It returns 0 for a
// closed loop.
func due(s load.Schedule, d time.Duration) int64 {
	switch {
	case len(s.Times) > 0:
		return int64(len(s.Times))
	case len(s.Steps) > 0:
		n := 0.0
		for _, x := range s.Steps {
			mean := x.Rate
			if x.Ramp {
				mean = (x.Rate + x.To) / 2
			}
			n += mean * x.For.Seconds()
		}
		return int64(n)
	case s.Over > 0:
		ramp := min(d, s.Over).Seconds()
		end := s.Rate + (s.To-s.Rate)*ramp/s.Over.Seconds()
		return int64(ramp*(s.Rate+end)/2 + max(d-s.Over, 0).Seconds()*s.To)
	}
	return int64(s.Rate * d.Seconds())
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
