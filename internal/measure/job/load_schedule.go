package job

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/load"
)

// kinds are the values of --arrivals besides poisson, with the option that makes a schedule of the kind. All but constant
// only confirm what that option says.
var kinds = map[string]string{
	"constant": "--rate 5000/s", "ramp": "--rate 1000..5000", "steps": "--steps 1000/s:10s,2000/s:10s", "replay": "--replay FILE",
}

// Scheduled returns the options that say when operations are due. Without any the loop is closed, or a scenario's file
// says it.
func (l *Load) Scheduled() []string { return l.set("rate", "steps", "replay", "search", "rates") }

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
