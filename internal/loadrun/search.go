package loadrun

import (
	"context"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/load"
)

// SetSweep makes the plan measure a step at each of the rates. list is the rates in words.
func (p *Plan) SetSweep(rates []float64, list string) {
	p.Rates, p.steps = rates, "sweep "+list
}

// SetSearch makes the plan search the highest rate, from start to most operations per
// second, until it is known to a share of precision.
func (p *Plan) SetSearch(start, most, precision float64) {
	p.Search = &bisection{start: start, most: most, precision: precision}
	p.steps = "search from " + units.Rate(start)
}

// Stepped returns result.SteppedSearch, result.SteppedSweep, or "" for a single run.
func (p *Plan) Stepped() string {
	switch {
	case p.Search != nil:
		return result.SteppedSearch
	case len(p.Rates) > 0:
		return result.SteppedSweep
	}
	return ""
}

// search measures steps until the highest rate that meets all objectives is known.
func (r *Runner) search(ctx context.Context, s *system) error {
	for n := uint64(0); ; n++ {
		rate, more := r.plan.Search.next()
		if !more {
			return nil
		}
		met, err := r.measureRate(ctx, s, rate, n)
		if err != nil {
			return err
		}
		r.plan.Search.add(rate, met)
	}
}

// sweep measures a step at each rate.
func (r *Runner) sweep(ctx context.Context, s *system) error {
	for n, rate := range r.plan.Rates {
		if _, err := r.measureRate(ctx, s, rate, uint64(n)); err != nil {
			return err
		}
	}
	return nil
}

// measureRate measures step n at a rate and reports whether all objectives were met.
func (r *Runner) measureRate(ctx context.Context, s *system, rate float64, n uint64) (met bool, err error) {
	r.out.prefix = "at " + units.Rate(rate) + ": "
	c := r.plan.Run
	c.Schedule = load.Schedule{Rate: rate, Poisson: c.Schedule.Poisson}
	c.First = n * phaseNumbers
	if err := r.step(ctx, s, c); err != nil {
		return false, err
	}
	steps := r.Result().Steps
	met = steps[len(steps)-1].Met
	if len(r.plan.Objectives) > 0 {
		r.Status.outcome(rate, met)
	}
	return met, nil
}
