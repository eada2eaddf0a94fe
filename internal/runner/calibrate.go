package runner

import (
	"context"
	"slices"

	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/record"
)

// Calibrated is what [Calibrate] returns: the plan of the forks that count.
type Calibrated struct {
	*Found
	Plan    *plan.Plan
	planned bool // the record holds the plan already
}

// Calibrate finds how many operations an iteration of each case takes, and how
// long a fork lasts. Cases of other sides take the number of the base. Cases
// that fail are moved to Lost.
func Calibrate(ctx context.Context, f *Found) (*Calibrated, error) {
	c := newCalibrated(f)
	var kept []*record.Case
	for i, x := range c.Plan.Cases {
		f.Progress.Phase("calibrating: %s%s (%d of %d)", sideLabel(x.Side), x.Name, i+1, len(c.Plan.Cases))
		failure, err := c.tune(ctx, x, kept)
		if err != nil {
			return nil, f.interrupted(err)
		}
		if failure != nil {
			failure.Fork.Case = x.ID
			f.Lost = append(f.Lost, *failure)
			continue
		}
		kept = append(kept, x)
	}
	c.Plan.Cases = kept
	return c, nil
}

func newCalibrated(f *Found) *Calibrated {
	c := &Calibrated{Found: f}
	c.Plan = &plan.Plan{
		Config: f.Run.Config, Seed: f.Run.Seed, Cases: slices.Clone(f.Cases), FirstWall: f.firstWall,
		Profiles: f.profiles(), ProfileDone: c.hasNoBinary,
	}
	return c
}

// tune prepares one case. Its N is that of the same benchmark on the side that
// was tuned first, if one was.
func (c *Calibrated) tune(ctx context.Context, x *record.Case, tuned []*record.Case) (*plan.Failure, error) {
	for _, t := range tuned {
		if sameBenchmark(x, t) {
			return c.Plan.CalibrateLike(ctx, c.run, x, t)
		}
	}
	return c.Plan.Calibrate(ctx, c.run, x, c.hints[x.ID])
}

// hasNoBinary reports whether there is no binary for the forks that a profiler
// wants for itself.
func (c *Calibrated) hasNoBinary(id, _ int, purpose string) bool {
	i := slices.IndexFunc(c.Plan.Cases, func(x *record.Case) bool { return x.ID == id })
	return i >= 0 && !c.hasBinary(c.Plan.Cases[i], purpose)
}

// hasBinary reports whether a profiler has a binary of its own for a case.
func (b *Built) hasBinary(c *record.Case, purpose string) bool {
	return slices.ContainsFunc(b.bins, func(x *binary) bool { return x.Pkg == c.Pkg && x.Side == c.Side && x.Purpose == purpose })
}
