package scenario

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/load"
	"go.yaml.in/yaml/v3"
)

// parseRate reads 500/s, 500, 5k/s, 300/m or 5/10s as transactions per second. 0 is a rate, too.
func parseRate(text string) (float64, error) {
	if count, _, _ := strings.Cut(text, "/"); strings.TrimSpace(count) == "0" {
		return 0, nil
	}
	return pace.ParseRate(text)
}

// parseDuration reads a duration above 0.
func parseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is not a duration above 0 such as 30s", text)
	}
	return d, nil
}

// phase reads a phase of load.
func (r *reader) phase(n *yaml.Node, path string) (s load.Step) {
	var kinds []string
	for _, kind := range []string{"rate", "ramp", "spike", "pause"} {
		if child(n, kind) != nil {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) != 1 {
		r.add(n, path, "want one of rate, ramp, spike and pause, and for; here are %d", len(kinds))
		return s
	}
	value := child(n, kinds[0])
	var err error
	if kinds[0] == "ramp" {
		err = parseRamp(value.Value, &s)
	} else if kinds[0] == "pause" {
		if value.Value != "true" {
			err = errors.New("want pause: true")
		}
	} else if s.Rate, err = parseRate(value.Value); err == nil && s.Rate == 0 {
		err = errors.New("a rate is above 0; pause: true is a phase in which nothing is due")
	}
	r.addError(value, join(path, kinds[0]), err)
	if f := child(n, "for"); f != nil {
		s.For, err = parseDuration(f.Value)
		r.addError(f, join(path, "for"), err)
	}
	return s
}

func parseRamp(text string, s *load.Step) error {
	from, to, ok := strings.Cut(text, "..")
	if !ok {
		return fmt.Errorf("%q is not a ramp such as 0..500/s", text)
	}
	if _, unit, has := strings.Cut(to, "/"); has && !strings.Contains(from, "/") {
		from += "/" + unit
	}
	var err error
	if s.Rate, err = parseRate(from); err != nil {
		return err
	}
	if s.To, err = parseRate(to); err != nil {
		return err
	}
	if s.Rate == 0 && s.To == 0 {
		return fmt.Errorf("%q: one end of a ramp is above 0", text)
	}
	s.Ramp = true
	return nil
}

// phases reads all phases.
func (r *reader) phases(n *yaml.Node) {
	for i, x := range elements(n) {
		r.s.phases = append(r.s.phases, r.phase(x, fmt.Sprintf("load[%d]", i)))
	}
	if n != nil && len(r.s.phases) == 0 {
		r.add(n, "load", "has no phase: leave it out for a closed loop")
	}
	if len(r.s.phases) > 0 && len(r.list) == 0 {
		r.addError(n, "load", load.Config{Schedule: r.s.Schedule(), Duration: r.s.Duration()}.Validate())
	}
}

// Schedule returns the phases of the file; the zero Schedule if it has none.
func (s *Scenario) Schedule() load.Schedule {
	if len(s.phases) == 1 && !s.phases[0].Ramp {
		return load.Schedule{Rate: s.phases[0].Rate, Poisson: s.poisson}
	}
	if len(s.phases) == 0 {
		return load.Schedule{}
	}
	return load.Schedule{Steps: s.phases, Poisson: s.poisson}
}

// Duration returns how long the phases last, 0 if there are none.
func (s *Scenario) Duration() (d time.Duration) {
	for _, p := range s.phases {
		d += p.For
	}
	return d
}
