package historyrun

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure"
	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/record"
)

// Plan says which commits are measured, and how.
type Plan struct {
	Config  benchrun.Config // of each sequence, except its sides and its start
	Commits []trend.Commit  // without the anchor
	Anchor  *trend.Commit   // measured in each sequence; nil: no anchor
	Size    int             // most commits of a sequence, beside the anchor
	Budget  time.Duration   // of the run: the next sequence starts only if it should end in time; 0: no limit
	Options Options         // of the entries
	Done    *Done           // what the store holds
	Store   history.Store   // gets the entries of each sequence when it ends
}

// Summary is what was measured.
type Summary struct {
	Measured int           // commits with figures
	Same     int           // commits all of whose test binaries were measured as another commit's
	Gaps     []Gap         // commits that could not be measured
	Added    int           // entries
	Left     int           // commits that were left for another run
	Took     time.Duration // of all sequences
}

// Gap is a commit that could not be measured.
type Gap struct {
	Commit trend.Commit
	Why    string
}

// Measure measures commits in sequences, each with the anchor, and adds entries to the store after each. After a signal
// it returns [plan.ErrInterrupted]; what the interrupted sequence had measured is only in its record.
func Measure(ctx context.Context, p *Plan) (sum Summary, err error) {
	began := time.Now()
	defer func() { sum.Took = time.Since(began) }()
	sequences := Sequences(p.Commits, p.Size)
	left := len(p.Commits)
	for i, commits := range sequences {
		start := time.Now()
		if last := start.Sub(began) / time.Duration(max(i, 1)); p.Budget > 0 && i > 0 && start.Sub(began)+last > p.Budget {
			p.Config.Progress.Note("--budget %s does not hold another sequence of about %s: %d commits are left", p.Budget, last.Round(time.Second), left)
			break
		}
		p.Config.Progress.Note("sequence %d of %d: %d commits", i+1, len(sequences), len(commits))
		if err := p.measureSequence(ctx, commits, &sum); err != nil {
			sum.Left = left
			return sum, fmt.Errorf("sequence %d of %d: %w", i+1, len(sequences), err)
		}
		left -= len(commits)
	}
	sum.Left = left
	return sum, nil
}

// measureSequence builds and measures commits with the anchor, and adds their entries to the store.
func (p *Plan) measureSequence(ctx context.Context, commits []trend.Commit, sum *Summary) error {
	c := p.config(commits)
	built, err := benchrun.Build(ctx, c)
	if err != nil {
		return err
	}
	defer built.Close()
	if err := p.measure(ctx, built); err != nil {
		return err
	}
	entries := p.entries(ctx, built, commits, sum)
	added, err := p.Store.Add(ctx, entries)
	sum.Added += added
	if err != nil {
		return fmt.Errorf("%s: %w; the record is %s", p.Store, err, built.Recorder.Path())
	}
	return nil
}

// measure measures what was built. Before the store has anything of the plan, it fails where no commit has a figure: then the packages
// or the pattern are wrong, and gaps of all commits would be kept.
func (p *Plan) measure(ctx context.Context, built *benchrun.Built) error {
	sides := built.Run.Sides
	if len(built.Without) == len(sides) {
		if len(p.Done.Commits) > 0 {
			return nil
		}
		name := sides[len(sides)-1].Name
		return exit.Failed(fmt.Errorf("no commit can be measured; %s: %s", name, built.Without[name]), "tare bench --list PACKAGES lists what there is now")
	}
	err := new(measure.Outcome).Measure(ctx, built)
	if none := (*benchrun.NoneError)(nil); errors.As(err, &none) && len(p.Done.Commits) > 0 {
		return nil
	}
	return err
}

// config returns the configuration of a sequence: its base is the anchor, or else its first commit.
func (p *Plan) config(commits []trend.Commit) benchrun.Config {
	c := p.Config
	c.Start = time.Now()
	c.Run.Sides = nil
	add := func(x trend.Commit) {
		c.Run.Sides = append(c.Run.Sides, record.Side{Name: x.Short(), Revision: x.Hash})
	}
	if p.Anchor != nil {
		add(*p.Anchor)
	}
	for _, x := range commits {
		add(x)
	}
	c.Series = &benchrun.Series{Known: func(b *record.Bin) bool { return p.Done.of(b) != "" }}
	return c
}

// entries returns the entries of a sequence: of commits that could not be built, of commits whose binaries were measured
// before, and of commits that were measured.
func (p *Plan) entries(ctx context.Context, built *benchrun.Built, commits []trend.Commit, sum *Summary) []*history.Entry {
	res, bins := built.Recorder.Result(), built.Recorder.Bins()
	entries, skipped := Entries(ctx, res, bins, p.Options)
	byCommit := map[string]*history.Entry{}
	for _, e := range entries {
		byCommit[e.Commit] = e
	}
	run := p.head(res.Run, built.Start)
	why := map[string]string{}
	for _, s := range skipped {
		why[s.Side] = s.Why
	}
	for _, c := range commits {
		e := byCommit[c.Hash]
		if e == nil {
			e = p.empty(run, c)
			entries = append(entries, e)
		}
		if reason := built.Without[c.Short()]; reason != "" {
			e.Gaps = append(e.Gaps, history.Gap{Why: reason})
		}
		p.addKnown(e, bins, c.Short())
		if len(e.Series)+len(e.Gaps) == 0 {
			e.Gaps = append(e.Gaps, history.Gap{Why: cmp.Or(why[c.Short()], noBenchmark)})
		}
		sum.count(e, c)
	}
	addMissing(entries)
	for _, e := range entries {
		p.Done.Add(history.File{}, e)
	}
	return entries
}

// head returns the head of a record, or that of a run of which nothing was recorded.
func (p *Plan) head(run *record.Run, start time.Time) *record.Run {
	if run == nil {
		r := session.NewRun(start, p.Done.Toolchain)
		r.Config, r.Seed = p.Config.Run.Config, p.Config.Run.Seed
		run = &r
	}
	return run
}

// empty returns an entry without figures.
func (p *Plan) empty(run *record.Run, c trend.Commit) *history.Entry {
	e := &history.Entry{
		Commit: c.Hash, Tree: c.Tree, Time: run.Start.UTC(), Machine: MachineID(run.Env), Described: Describe(run.Env), Toolchain: run.Env.Go,
		Sequence: sequence(run), Plan: PlanOf(&run.Config),
	}
	if p.Options.Machine != "" {
		e.Machine = p.Options.Machine
	}
	return e
}

// addKnown adds gaps for packages whose test binary was measured in an earlier sequence.
func (p *Plan) addKnown(e *history.Entry, bins map[int]*record.Bin, side string) {
	for _, b := range bins {
		commit := p.Done.of(b)
		if b.Side == side && b.Purpose == "" && commit != "" && commit != e.Commit {
			e.Gaps = append(e.Gaps, history.Gap{Pkg: b.Pkg, Why: "same test binary as " + trend.Short(commit), Same: commit})
		}
	}
}

func (s *Summary) count(e *history.Entry, c trend.Commit) {
	if len(e.Series) > 0 {
		s.Measured++
		return
	}
	for _, g := range e.Gaps {
		if g.Same == "" {
			s.Gaps = append(s.Gaps, Gap{c, g.Why})
			return
		}
	}
	s.Same++
}
