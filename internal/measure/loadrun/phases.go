package loadrun

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// insert returns the phase that inserts the records.
func (r *Runner) insert(ctx context.Context, s *system) error {
	if s.loader == nil {
		return nil
	}
	p := r.plan
	c := p.Workload.LoadPhase()
	c.Phase, c.Workers, c.Interval, c.Drain, c.Seed = record.LoadInsert, p.loaders(), p.Run.Interval, p.Run.Drain, p.Run.Seed
	total, err := r.phase(ctx, s.loader, c)
	if err != nil && !errors.Is(err, load.ErrMaxErrors) {
		return err
	}
	if n := total.Unfinished; n > 0 && ctx.Err() == nil {
		return exit.Failed(fmt.Errorf("the records could not be inserted: %d of %d were, and %d had no answer", total.Completed-failures(total), p.Workload.RecordCount, n), "a longer --drain waits longer; --op-timeout ends operations that hang")
	}
	if n := failures(total); n > 0 && !p.Workload.InsertionKeepGoing {
		return exit.Failed(fmt.Errorf("the records could not be inserted: %d of %d were, then %s", total.Completed-n, p.Workload.RecordCount, firstError(total)), "-p core_workload_insertion_retry_limit=3 tries again")
	}
	return nil
}

// failures returns how many operations failed.
func failures(i *load.Interval) int64 {
	var n int64
	for class, count := range i.Errors {
		if class != load.Class(kv.ErrNotFound) {
			n += count
		}
	}
	return n
}

// firstError returns the class and the text of one of the first errors.
func firstError(i *load.Interval) string {
	for _, class := range slices.Sorted(maps.Keys(i.First)) {
		return class + ": " + i.First[class]
	}
	return "an error"
}

// phaseNumbers is the distance between the operation numbers of phases. What the run
// sends follows from the numbers, and so does not depend on the length of its warm-up.
const phaseNumbers = 1 << 40

// step returns a warm-up and a run.
func (r *Runner) step(ctx context.Context, s *system, c load.Config) error {
	if r.plan.Job.Warmup > 0 {
		w := c
		w.Phase, w.Schedule, w.Duration, w.Operations, w.Slowest = record.LoadWarmup, warmupSchedule(c.Schedule), r.plan.Job.Warmup, 0, 0
		w.First = c.First + phaseNumbers/2
		if _, err := r.phase(ctx, s.target, w); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.Phase, c.Observe = record.LoadRun, r.YCSB.observe(s.target.Kinds())
	c.Status = r.stallWriter(s).interval
	_, err := r.phase(ctx, s.target, c)
	return err
}

// phase has the engine run a phase and records its first errors. If an output cannot be
// written, that is the error it returns.
func (r *Runner) phase(ctx context.Context, t load.Target, c load.Config) (*load.Interval, error) {
	r.Status.begin(&c, r.plan.Redact)
	r.out.phase = c.Phase
	also := c.Status
	c.Status = func(i *load.Interval) {
		r.Status.show(i)
		if also != nil {
			also(i)
		}
	}
	ctx, r.out.cancel = context.WithCancel(ctx)
	defer r.out.cancel()
	if c.Phase == record.LoadRun && r.plan.Agents == nil {
		r.marks.Begin()
		r.out.marks = r.marks
		defer func() { r.out.marks = nil; r.marks.End() }()
	}
	total, err := runPhase(ctx, t, c, r.out.Write)
	if total == nil {
		return &load.Interval{}, r.plan.clean(err)
	}
	for _, class := range slices.Sorted(maps.Keys(total.First)) {
		w := diagnosis.Warn(diagnosis.FirstError, diagnosis.Facts{"class": class, "side": "", "error": r.plan.Redact(total.First[class])})
		if e := r.out.Write(w); e != nil {
			return total, e
		}
	}
	if r.out.err != nil {
		return total, r.out.err
	}
	return total, r.plan.clean(err)
}
