package fork

import (
	"context"
	"slices"

	"github.com/tarebench/tare/internal/numbers/loss"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// A group is some sub-benchmarks of one top-level benchmark that run in one process: the function around them sets up
// once, and testing runs all iterations of the first, then all of the second, and so on. Each gets a fork line of its
// own; Process tells that they are one process. What the process sends through the pipe does not say which benchmark it
// is of, so only what testing prints is used.

func caseNames(cases []*record.Case) []string {
	var out []string
	for _, c := range cases {
		out = append(out, c.Name)
	}
	return out
}

// runGroup runs a group in one process and writes the lines of s.Case and s.With.
func (r *Runner) runGroup(ctx context.Context, s Spec) (*Outcome, error) {
	x, err := r.exec(ctx, command{
		bin: s.Bin, path: s.Path, environ: s.Environ, args: benchArgs(s), limits: limits{total: s.Timeout},
		fork:    profiler.Fork{Case: s.Case, Warmup: s.Warmup},
		watched: true,
		parser:  parser{procs: s.Case.Procs, limit: s.Count * len(s.Group)},
	})
	if err != nil {
		return nil, err
	}
	p := x.out.done()
	all := samples(x.fork.ID, p.results, 0, x.fork.Start, x.fork.Start+x.fork.Wall)
	var first *Outcome
	for i, c := range append([]*record.Case{s.Case}, s.With...) {
		out := r.member(x, p, all, s, c)
		if i == 0 {
			first = out
		} else {
			r.forks++
			out.setID(r.forks)
			out.Fork.HarnessTime = 0 // counted once
			first.Others = append(first.Others, out)
		}
		if err := r.write(out, &childMessages{}); err != nil {
			return nil, err
		}
	}
	return first, nil
}

// member returns the fork of one case of a group. all are the samples of the process, in the order of p.results.
func (r *Runner) member(x *execution, p printed, all []*record.Sample, s Spec, c *record.Case) *Outcome {
	full := fullName(c.Name, c.Procs)
	out := &Outcome{Fork: x.fork}
	f := &out.Fork
	f.Case, f.Bin, f.Round, f.Purpose, f.Process = c.ID, s.Bin.ID, s.Round, s.Purpose, x.fork.ID
	for i, b := range p.results {
		if b.name != full {
			continue
		}
		one := *all[i]
		one.Iter = len(out.Samples) + 1
		if one.Iter <= s.Warmup {
			one.Phase = record.PhaseWarmup
		}
		out.Samples = append(out.Samples, &one)
	}
	setMemberState(f, x, p, s, full)
	if f.State != record.StateOK {
		f.Tail, f.Why = x.out.tailText(), r.mask(f.Why)
	}
	out.section(len(p.results) > 0 && p.results[len(p.results)-1].name == full)
	loss.Mark(f, out.Samples, loss.Processors(c))
	return out
}

// setMemberState sets State and Why of a member of a group. It is ok if testing ran to its end and printed exactly the
// expected results of it, although another member called Fail.
func setMemberState(f *record.Fork, x *execution, p printed, s Spec, full string) {
	for _, b := range p.results {
		if !slices.ContainsFunc(s.Group, func(c *record.Case) bool { return fullName(c.Name, c.Procs) == b.name }) {
			setState(f, x, p, full, s.Count) // says whose result it is
			return
		}
	}
	name := trimName(full, s.Case.Procs)
	own := p
	own.results = slices.DeleteFunc(slices.Clone(p.results), func(b benchResult) bool { return b.name != full })
	own.failed = slices.DeleteFunc(slices.Clone(p.failed), func(g failure) bool { return g.name != name })
	exit := f.Exit
	if f.Exit == "1" && p.ended && !p.panicCertain && len(p.failed) > 0 && len(own.failed) == 0 {
		f.Exit = "0" // as if the others had not failed
	}
	setState(f, x, own, full, s.Count)
	f.Exit = exit
}

// section cuts out of the fork the part of the process's life in which its samples were taken: of the last member up to
// its end. The peak of the memory is that of all, so it is left out.
func (o *Outcome) section(last bool) {
	f := &o.Fork
	whole, end := f.Wall, f.Start+f.Wall
	if len(o.Samples) > 0 {
		f.Start = o.Samples[0].T - o.Samples[0].Wall
		f.Wall = o.Samples[len(o.Samples)-1].T - f.Start
		if last {
			f.Wall = end - f.Start
		}
	}
	share := 0.0
	if whole > 0 {
		share = float64(f.Wall) / float64(whole)
	}
	shared := []*int64{&f.User, &f.Sys, &f.Vcsw, &f.Ivcsw, &f.Minflt, &f.Majflt, &f.Steal, &f.Throttled, &f.Idle}
	if f.Others != nil {
		others := *f.Others // the other members have their own
		f.Others = &others
		shared = append(shared, f.Others)
	}
	for _, x := range shared {
		*x = int64(float64(*x) * share)
	}
	f.MaxRSS, f.MaxRSSBy = 0, "shared process"
	f.Setup = setup(o.Samples, f.Wall)
}

// setID gives a member's fork an ID of its own.
func (o *Outcome) setID(id int) {
	o.Fork.ID, o.Fork.Order = id, id
	for _, s := range o.Samples {
		s.Fork = id
	}
}
