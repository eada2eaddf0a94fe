package benchrun

import (
	"context"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/numbers/plan"
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
	if err := c.shareDear(ctx); err != nil {
		return nil, f.interrupted(err)
	}
	announce(c.Plan, f.Progress.Note)
	c.leaveOut()
	var kept []*record.Case
	for i, x := range c.Plan.Cases {
		budgetFor(c.Plan, c.Plan.Cases[i:], f.Progress.Note)
		if x.Group != "" {
			kept = append(kept, x)
			continue
		}
		f.Progress.Phase("calibrating: %s%s (%d of %d)", sideLabel(x.Side), x.Name, i+1, len(c.Plan.Cases))
		failure, err := c.tune(ctx, x, kept)
		if err == nil && failure != nil {
			failure, err = c.shareFailing(ctx, x, failure)
		}
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
	c.leaveOut()
	c.warnGuessed()
	noteLost(c.Plan.Cases, f.Progress.Note) // leaveOut empties the end of kept
	return c, nil
}

func newCalibrated(f *Found) *Calibrated {
	c := &Calibrated{Found: f}
	c.Plan = &plan.Plan{
		Config: f.Run.Config, Seed: f.Run.Seed, Cases: slices.Clone(f.Cases), FirstWall: f.firstWall, Began: f.began,
		Setup:    map[int]time.Duration{},
		Profiles: f.profiles(), ProfileDone: c.notProfiled,
	}
	c.Plan.Replanned = c.replanned
	c.Plan.BudgetBinds = !f.sharing.off // the self-test has its own use of it
	return c
}

// tune prepares one case. Its N is that of the same benchmark on the side that
// was tuned first, if one was.
func (c *Calibrated) tune(ctx context.Context, x *record.Case, tuned []*record.Case) (*plan.Failure, error) {
	var like *record.Case
	if i := slices.IndexFunc(tuned, func(t *record.Case) bool { return c.areCompared(x, t) }); i >= 0 {
		like = tuned[i]
	}
	switch {
	case !c.Plan.HoldsCalibration(x):
		c.Plan.Guess(x, like)
		return nil, nil
	case like != nil:
		return c.Plan.CalibrateLike(ctx, c.run, x, like)
	}
	return c.Plan.Calibrate(ctx, c.run, x)
}

// notProfiled reports whether a profiler gets none of the forks that it wants for
// itself: there is no binary for them, or the case shares its processes.
func (c *Calibrated) notProfiled(id, _ int, purpose string) bool {
	i := slices.IndexFunc(c.Plan.Cases, func(x *record.Case) bool { return x.ID == id })
	return i >= 0 && (c.Plan.Cases[i].Group != "" || !c.hasBinary(c.Plan.Cases[i], purpose))
}

// hasBinary reports whether a profiler has a binary of its own for a case.
func (b *Built) hasBinary(c *record.Case, purpose string) bool {
	return slices.ContainsFunc(b.bins, func(x *binary) bool { return x.Pkg == c.Pkg && x.Side == c.Side && x.Purpose == purpose })
}
