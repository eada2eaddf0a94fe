package benchrun

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
)

// shareFailing has a case that fails alone share processes with its siblings, if it passes with them. Else it returns
// the failure.
func (c *Calibrated) shareFailing(ctx context.Context, x *record.Case, failure *plan.Failure) (*plan.Failure, error) {
	trials, err := c.tryTogether(ctx, x)
	if err != nil || !slices.ContainsFunc(trials, func(t trial) bool { return sameBenchmark(t.c, x) && t.ok }) {
		return failure, err
	}
	var cases []*record.Case
	var own []time.Duration
	var wall time.Duration
	for _, t := range trials {
		if t.ok {
			cases, own = append(cases, t.c), append(own, t.wall)
			wall += t.wall
		}
	}
	if len(cases) < 2 {
		return failure, nil
	}
	name := strings.TrimPrefix(x.Name, functionOf(x).name+"/") // not the whole one: notes of all rows are one note
	c.group(cases, fmt.Sprintf("%s fails alone (%s)", name, failure.Fork.Why), wall, own)
	c.Progress.Note("%s%s fails alone (%s) and passes with the others of %s: its %d sub-benchmarks share one process in each round, about %s each",
		sideLabel(x.Side), x.Name, failure.Fork.Why, functionOf(x).name, len(cases), seconds(wall))
	return nil, nil
}

// tryTogether runs a case and its siblings in one process. The siblings of a function are tried once.
func (c *Calibrated) tryTogether(ctx context.Context, x *record.Case) ([]trial, error) {
	if trials, tried := c.sharing.tried[functionOf(x)]; tried {
		return trials, nil
	}
	cases := c.siblings(x)
	if cases == nil {
		return nil, nil
	}
	c.Progress.Phase("trying the sub-benchmarks of %s%s together", sideLabel(x.Side), functionOf(x).name)
	setup, _ := c.setup(cases)
	outs, err := c.Plan.RunTogether(ctx, c.run, cases, 10*(setup+c.shares(0, cases).Own))
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	var trials []trial
	for i, out := range outs {
		trials = append(trials, trial{cases[i], out.Fork.State == record.StateOK, time.Duration(out.Fork.Wall)})
	}
	c.sharing.tried[functionOf(x)] = trials
	return trials, nil
}

// sharingWarnings returns what is to be said of a case that shares its processes.
func (c *Calibrated) sharingWarnings(x *record.Case) []record.Line {
	if x.Group == "" {
		return nil
	}
	out := []record.Line{ofCase(x, diagnosis.Warn(diagnosis.SharedProcess, diagnosis.Facts{
		"benchmarks": units.Plural(len(c.Plan.Members(x)), "sub-benchmark"), "group": x.Group, "why": c.sharing.why[x.ID],
	}))}
	if len(c.Profilers) > 0 {
		out = append(out, ofCase(x, diagnosis.WarnForm(diagnosis.NotProfiled, "shared", nil)))
	}
	return out
}
