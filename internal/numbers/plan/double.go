package plan

import (
	"context"
	"time"

	"github.com/tarebench/tare/internal/numbers/calibration"
	"github.com/tarebench/tare/record"
)

// Whether the time of a benchmark depends on the number of its operations cannot be seen where one operation fills an
// iteration. So one fork does two.
const (
	maxDoubled   = 200 * time.Millisecond // of one operation; longer ones are not tried
	doubledCount = 2                      // iterations of the fork, the first of which includes the start of the process
)

// doubled adds a fork of two operations to a case with one. It is left out where the operation or the budget does not
// allow it, and where the timer, by which the figure is, sees little of the time.
func (p *Plan) doubled(ctx context.Context, run Runner, c *record.Case, r calibration.Result) error {
	if r.N != 1 || p.Brief || r.Stopped || r.Time > float64(maxDoubled) || len(c.Calibration.Looks) != 1 {
		return nil
	}
	c.N = 2
	q := p.calibrationFork(c)
	q.Count = doubledCount
	out, err := run(ctx, q)
	c.N = 1
	if err != nil {
		return err
	}
	if out.Fork.State != record.StateOK {
		return nil // the figure does not need it
	}
	s := calibration.Search{}
	s.AddLook(2, calibration.Iterations(out.Samples))
	c.Calibration.Looks = append(c.Calibration.Looks, s.Result().Seen...)
	c.Calibration.Forks++
	return nil
}
