package loadrun

import (
	"context"
	"fmt"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/numbers/pace"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/load"
)

// searchErrors is an objective of a search unless another is about errors: a server that refuses everything is fast.
const searchErrors = "errors<1%"

// planSteps makes a job that was checked a search or a sweep, if it is one.
func (p *Plan) planSteps(j *job.Load) {
	switch {
	case len(j.Search) > 0:
		most, _ := pace.ParseRate(j.Most)
		p.Search = &bisection{start: p.Run.Schedule.Rate, most: most, precision: j.Precision}
		p.steps = fmt.Sprintf("search from %s to %s, within %.3g %%", units.Rate(p.Search.start), units.Rate(most), 100*j.Precision)
	case j.Rates != "":
		p.Rates, _ = pace.ParseRates(j.Rates)
		p.steps = "sweep " + j.Rates
	}
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
		step, err := r.measureRate(ctx, s, rate, n)
		if err != nil {
			return err
		}
		if step.Undecided {
			r.plan.Search.addUndecided(rate)
		} else {
			r.plan.Search.add(rate, step.Met)
		}
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

// measureRate measures step n at a rate and returns what it came to.
func (r *Runner) measureRate(ctx context.Context, s *system, rate float64, n uint64) (step *result.Load, err error) {
	r.out.step = "at " + units.Rate(rate)
	c := r.plan.Run
	c.Schedule = load.Schedule{Rate: rate, Poisson: c.Schedule.Poisson}
	c.First = n * phaseNumbers
	if err := r.step(ctx, s, c); err != nil {
		return nil, err
	}
	steps := r.Result().Steps
	step = &steps[len(steps)-1]
	if len(r.plan.Objectives) > 0 {
		r.Status.outcome(rate, step)
	}
	return step, nil
}
