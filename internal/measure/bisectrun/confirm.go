package bisectrun

import (
	"context"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/numbers/bisect"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/record"
)

// Suspect is a change that is to be confirmed: of a metric of one benchmark between two revisions.
type Suspect struct {
	Old, New  string // revisions; a few commits before and after the suspected one hold also if that is off by a few
	Pkg, Name string // of the benchmark
	Metric    string
}

// Confirmation is what measuring a suspect again came to.
type Confirmation struct {
	Suspect
	bisect.Confirmation
	Failed string // why it could not be measured; "": it could
}

// Confirm measures the two revisions of each suspect, interleaved, until it is known whether they differ: see
// [bisect.Confirm]. The suspects share the chance of a false confirmation. Each has a record of its own, in the default
// place. It returns what is known also with an error, such as [plan.ErrInterrupted].
//
// Of c, Run.Config says how forks run; its Packages, Bench and sides are filled in. Run.Config.Threshold, if set, is
// the change that does not matter.
func Confirm(ctx context.Context, c benchrun.Config, suspects []Suspect) ([]Confirmation, error) {
	var out []Confirmation
	for _, x := range suspects {
		r, err := confirm(ctx, c, x, len(suspects))
		if err != nil {
			return out, err
		}
		out = append(out, r)
	}
	return out, nil
}

func confirm(ctx context.Context, c benchrun.Config, x Suspect, of int) (Confirmation, error) {
	out := Confirmation{Suspect: x}
	c.Run.Kind, c.Output = record.KindBench, ""
	c.Run.Sides = []record.Side{{Name: job.SideOld, Revision: x.Old}, {Name: job.SideNew, Revision: x.New}}
	c.Run.Config.Packages, c.Run.Config.Bench = []string{x.Pkg}, fork.Pattern(x.Name)
	seq, err := benchrun.OpenSequence(ctx, c)
	if e := exit.As(err); e != nil && !c.Signals.Caught() {
		out.Failed = err.Error()
		return out, nil
	}
	if err != nil {
		return out, err
	}
	defer seq.Close()
	m := newMeter(seq, x.Metric)
	exact := x.Metric == "allocs/op"
	for i := 0; i < 2 && exact; i++ {
		if exact, err = m.steady(ctx, i); err != nil {
			return out, err
		}
	}
	state := bisect.NewConfirm(bisect.ConfirmOptions{Suspects: of, Threshold: c.Run.Config.Threshold, Exact: exact})
	err = alternate(ctx, m, state, uint64(c.Run.Seed))
	out.Confirmation = state.Result()
	out.Failed = m.skipped[0] + m.skipped[1]
	return out, seq.Finish(err, string(out.State))
}

// alternate measures both sides until it is decided. Each pair is in random order.
func alternate(ctx context.Context, m *meter, state *bisect.Confirm, seed uint64) error {
	order := newOrder(seed)
	for state.Next() > 0 {
		for _, side := range order.pair() {
			x, why, err := m.fork(ctx, side)
			if err != nil || why != "" {
				return err
			}
			state.Add(side, x)
		}
	}
	return nil
}
