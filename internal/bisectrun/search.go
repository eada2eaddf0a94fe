package bisectrun

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/bisect"
	"github.com/tarebench/tare/internal/build"
	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/runner"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// search is a running search.
type search struct {
	*span
	c     *Config
	sit   *runner.Sitting
	meter *meter
	state *bisect.Search

	data   string // the package's directory of test data
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
	sit, err := runner.OpenSitting(ctx, c.Config)
	if err != nil {
		return nil, err
	}
	defer sit.Close()
	s := &search{span: sp, c: c, sit: sit, meter: newMeter(sit, c.Metric), same: map[int]bool{}, hashed: map[int]bool{}, sums: map[int]string{}}
	s.takeEarlier(earlier)
	if earlier == nil {
		if err := sit.Recorder.Write(&record.Bisect{State: string(bisect.Searching), Metric: c.Metric, Base: sp.base, Layouts: c.Run.Config.Layouts}); err != nil {
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
	return &Outcome{Bisect: line, Recorder: sit.Recorder}, sit.Finish(err, why, line)
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
			s.sit.Count(i)
			n++
		}
	}
	s.c.Progress.Note("%s holds %d forks; going on", s.sit.Recorder.Path(), n)
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

// show draws the progress line: the most probable commits.
func (s *search) show(i int) {
	s.c.Progress.Step(func() string {
		r := s.state.Done()
		text := fmt.Sprintf("fork %d · %d commits measured · measuring %s", r.Forks+1, r.Built, Short(s.commits[i].Hash))
		var likely []int
		for a, p := range r.Probabilities {
			if p >= 0.05 {
				likely = append(likely, a)
			}
		}
		slices.SortStableFunc(likely, func(a, b int) int {
			if r.Probabilities[a] > r.Probabilities[b] {
				return -1
			}
			return 1
		})
		for _, a := range likely[:min(3, len(likely))] {
			text += fmt.Sprintf(" · %s %.0f %%", Short(s.commits[a].Hash), 100*r.Probabilities[a])
		}
		return text
	})
}

// result returns the line of the record.
func (s *search) result() *record.Bisect {
	l := &record.Bisect{State: string(bisect.Searching), Metric: s.c.Metric, Base: s.base, Layouts: max(1, s.c.Run.Config.Layouts)}
	l.Pkg, l.Name = s.sit.Benchmark()
	l.Better = s.sit.Better(s.c.Metric)
	var r bisect.Result
	if s.state != nil {
		r = s.state.Done()
		l.State, l.Part, l.Forks = string(r.State), r.Part, r.Forks
		l.Ratio, l.Lo, l.Hi = ratios(r.Ratio, r.Lo, r.Hi)
	}
	for i, c := range s.commits {
		x := record.BisectCommit{Commit: c.Hash, Subject: c.Subject, Same: s.same[i], Skipped: s.meter.skipped[i], Forks: len(s.meter.values[i])}
		if x.Forks > 0 {
			x.Median = stat.Median(s.meter.values[i])
		}
		if i < len(r.Probabilities) {
			x.Probability = r.Probabilities[i]
		}
		l.Commits = append(l.Commits, x)
	}
	if r.First > 0 && r.State == bisect.Found {
		l.First, l.Merge = s.commits[r.First].Hash, len(s.commits[r.First].Parents) > 1
		for _, a := range r.Group {
			l.Group = append(l.Group, s.commits[a].Hash)
		}
	}
	return l
}

// ratios returns zeros for what has no finite ratio: a record cannot hold it.
func ratios(ratio, lo, hi float64) (float64, float64, float64) {
	for _, x := range []float64{ratio, lo, hi} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, 0, 0
		}
	}
	return ratio, lo, hi
}
