package bisectrun

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/numbers/bisect"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
)

// search is a running search.
type search struct {
	*span
	c     *Config
	seq   *benchrun.Sequence
	meter *meter
	state *bisect.Search

	same   map[int]bool
	hashed map[int]bool
	sums   map[int]string
}

func (s *search) bad() int { return len(s.commits) - 1 }

// Run searches, and if it finds a merge, searches among the commits that were merged. It returns what is known also with
// [plan.ErrInterrupted].
func Run(ctx context.Context, c Config) (*Outcome, error) {
	sp, err := findSpan(ctx, &c)
	if err != nil {
		return nil, err
	}
	return searchAndEnter(ctx, c, sp, nil)
}

// Resume goes on with the search of a record. check refuses a file by its first line.
func Resume(ctx context.Context, c Config, path string, check func(path string, first record.Line, err error) error) (*Outcome, error) {
	p, err := resume(&c, path, check)
	if err != nil {
		return nil, err
	}
	if p.Complete && p.last != p.head {
		return &Outcome{Bisect: p.last, Recorder: c.Earlier.Recorder}, c.Earlier.Recorder.Close(true)
	}
	sp, err := findSpan(ctx, &c)
	if err != nil {
		return nil, err
	}
	sp.base = p.head.Base
	return searchAndEnter(ctx, c, sp, p)
}

func searchAndEnter(ctx context.Context, c Config, sp *span, earlier *past) (*Outcome, error) {
	out, err := searchSpan(ctx, &c, sp, earlier)
	if err != nil || out == nil || !out.Merge || len(out.Group) != 1 {
		return out, err
	}
	i := slices.IndexFunc(sp.commits, func(x build.Commit) bool { return x.Hash == out.First })
	merge := sp.commits[i]
	inner := c
	inner.Earlier = nil
	base, err := sp.repo.MergeBase(ctx, merge.Parents[0], merge.Parents[1])
	if err != nil {
		return out, nil // unrelated histories: the merge is what can be named
	}
	inner.Good, inner.Bad = base, merge.Parents[1]
	if c.Output != "" {
		inner.Output = strings.TrimSuffix(c.Output, ".jsonl") + "-" + Short(merge.Hash) + ".jsonl"
	}
	c.Progress.Note("%s %s is a merge: searching among the commits that it brought", Short(merge.Hash), merge.Subject)
	from, err := findSpan(ctx, &inner)
	if exit.As(err) != nil {
		return out, nil // nothing to enter: the merge is what can be named
	}
	if err != nil {
		return out, err
	}
	out.Entered, err = searchSpan(ctx, &inner, from, nil)
	return out, err
}

func searchSpan(ctx context.Context, c *Config, sp *span, earlier *past) (*Outcome, error) {
	c.Run.Kind, c.Run.Sides = record.KindBisect, sidesOf(sp.commits)
	seq, err := benchrun.OpenSequence(ctx, c.Config)
	if err != nil {
		return nil, err
	}
	defer seq.Close()
	s := &search{span: sp, c: c, seq: seq, meter: newMeter(seq, c.Metric), same: map[int]bool{}, hashed: map[int]bool{}, sums: map[int]string{}}
	s.takeEarlier(earlier)
	if earlier == nil {
		if err := seq.Recorder.Write(&record.Bisect{State: string(bisect.Searching), Metric: c.Metric, Base: sp.base, Layouts: c.Run.Config.Layouts}); err != nil {
			return nil, err
		}
	}
	err = s.run(ctx)
	why := ""
	switch {
	case errors.Is(err, errBudget):
		why, err = err.Error(), nil
	case err != nil && (c.Signals.Caught() || ctx.Err() != nil):
		err = plan.ErrInterrupted
		why = "interrupted"
	case err != nil:
		return nil, err
	}
	line := s.result()
	if why != "" && line.State == string(bisect.Searching) {
		line.State = string(bisect.Undecided)
	}
	return &Outcome{Bisect: line, Recorder: seq.Recorder}, seq.Finish(err, why, line)
}

// takeEarlier has the forks of an earlier run measured first.
func (s *search) takeEarlier(p *past) {
	if p == nil {
		return
	}
	n := 0
	for i, c := range s.commits {
		s.meter.ready[i] = p.forks[Short(c.Hash)]
		for range s.meter.ready[i] {
			s.seq.Count(i)
			n++
		}
	}
	s.c.Progress.Note("%s holds %d forks; going on", s.seq.Recorder.Path(), n)
}

// run measures until the search ends.
func (s *search) run(ctx context.Context) error {
	o := bisect.Options{Seed: uint64(s.c.Run.Seed), Threshold: s.c.Run.Config.Threshold}
	var err error
	if o.Exact, err = s.exact(ctx); err != nil {
		return err
	}
	s.state = bisect.New(s.bad(), o)
	if err := s.joinUnchanged(ctx); err != nil {
		return err
	}
	if err := s.joinEqual(ctx); err != nil {
		return err
	}
	for r := s.state.Next(); len(r.Commits) > 0; r = s.state.Next() {
		for _, i := range r.Commits {
			if s.meter.skipped[i] != "" {
				continue // earlier in this round
			}
			if err := s.measure(ctx, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// exact reports whether the metric has the same value in all forks of a binary, as far as two of each end tell.
func (s *search) exact(ctx context.Context) (bool, error) {
	if s.c.Metric != "allocs/op" && s.c.Metric != "B/op" {
		return false, nil
	}
	for _, i := range []int{0, s.bad()} {
		if ok, err := s.meter.steady(ctx, i); !ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// measure runs a fork of a commit.
func (s *search) measure(ctx context.Context, i int) error {
	if s.c.overBudget() {
		return errBudget
	}
	if err := s.digest(ctx, i); err != nil || s.meter.skipped[i] != "" {
		return err
	}
	s.show(i)
	x, why, err := s.meter.fork(ctx, i)
	switch {
	case err != nil:
		return err
	case why != "":
		s.skip(i, why)
	default:
		s.state.Add(i, x)
	}
	return nil
}

// skip leaves a commit out that cannot be measured.
func (s *search) skip(i int, why string) {
	why = termtext.OneLine(why)
	s.meter.skipped[i] = why
	s.state.Skip(i)
	s.c.Progress.Note("%s %s: skipped: %s", Short(s.commits[i].Hash), s.commits[i].Subject, why)
}
