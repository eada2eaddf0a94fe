package fork

import (
	"context"
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// runWrapped runs a fork inside the profiler's own program: one or more processes in turn, recorded as one fork.
func (r *Runner) runWrapped(ctx context.Context, s Spec) (*Outcome, error) {
	out := &Outcome{Fork: record.Fork{State: record.StateOK}}
	var x sessions
	var lines []record.Line
	w, err := s.Wrap.Wrap(s.Case)
	if err != nil {
		x.addUnavailable(s.Wrap.Name(), err)
	} else if lines, err = r.processes(ctx, s, w, out, &x); err != nil {
		return nil, err
	}
	f := &out.Fork
	if f.ID == 0 { // no process was started
		r.forks++
		f.ID, f.Order = r.forks, r.forks
	}
	f.Case, f.Bin, f.Round, f.Purpose = s.Case.ID, s.Bin.ID, s.Round, s.Purpose
	lines = append(lines, x.lines...)
	for _, l := range lines {
		setFork(l, f)
	}
	return out, r.write(out, &childMessages{lines: lines})
}

// processes runs the processes of one fork. An error means that no more forks can be run.
func (r *Runner) processes(ctx context.Context, s Spec, w profiler.Wrapped, out *Outcome, x *sessions) (lines []record.Line, err error) {
	var failed error
	for n := w.Next(); n > 0 && failed == nil && out.Fork.State == record.StateOK; n = w.Next() {
		if out.Fork.ID != 0 {
			r.forks-- // still the same fork
		}
		var ops int64
		if ops, err = r.process(ctx, s, w, n, &out.Fork); err != nil {
			w.End()
			return nil, err
		}
		if out.Fork.State == record.StateOK {
			failed = w.Ran(ops)
		}
		diagnose(w, &out.Fork, r.Mask)
	}
	res, ops, err := w.End()
	if failed == nil {
		failed = err
	}
	switch {
	case out.Fork.State != record.StateOK:
		return nil, nil
	case failed != nil:
		x.addUnavailable(s.Wrap.Name(), failed)
		return nil, nil
	}
	if len(res.Values) > 0 {
		f := &out.Fork
		out.Samples = []*record.Sample{{
			Fork: f.ID, Iter: s.Warmup + 1, Phase: record.PhaseMeasure, T: f.Start + f.Wall, Ops: ops, V: res.Values[0],
		}}
	}
	return res.Lines, nil
}

// diagnose replaces the reason of a failure if the profiler knows a better one.
func diagnose(w profiler.Wrapped, f *record.Fork, mask masker) {
	d, ok := w.(profiler.Diagnoser)
	if !ok || f.State != record.StateFailed {
		return
	}
	if err := d.Diagnose(f.Tail); err != nil {
		f.Why = mask.truncate(err.Error())
	}
}

// process runs one process and adds it to the fork's line.
func (r *Runner) process(ctx context.Context, s Spec, w profiler.Wrapped, n int64, f *record.Fork) (ops int64, err error) {
	need, c := s.Wrap.Needs(), *s.Case
	if need.Procs > 0 {
		c.Procs = need.Procs
	}
	s.Case, s.Benchtime, s.Count = &c, fmt.Sprintf("%dx", n), 1
	path, args := w.Command(s.Path, benchArgs(s))
	x, err := r.exec(ctx, command{
		bin: s.Bin, path: path, environ: s.Environ, args: args,
		limits: limits{total: s.Timeout * time.Duration(max(1, need.Slowdown))},
		parser: parser{procs: s.Case.Procs, limit: 1},
	})
	if err != nil {
		return 0, err
	}
	p := x.out.done()
	one := x.fork
	setState(&one, x, p, fullName(s.Case.Name, s.Case.Procs), 1)
	if one.State != record.StateOK {
		one.Tail = x.out.tailText()
		one.Why = r.mask(one.Why)
	} else {
		ops = p.results[0].n
	}
	addProcess(f, &one)
	return ops, nil
}

// addProcess adds a process's usage and exit to a fork.
func addProcess(f, p *record.Fork) {
	if f.ID == 0 {
		*f = *p
		return
	}
	f.Wall = p.Start + p.Wall - f.Start
	f.HarnessTime += p.HarnessTime
	f.User, f.Sys = f.User+p.User, f.Sys+p.Sys
	f.Steal, f.Throttled = f.Steal+p.Steal, f.Throttled+p.Throttled
	f.Vcsw, f.Ivcsw = f.Vcsw+p.Vcsw, f.Ivcsw+p.Ivcsw
	f.Minflt, f.Majflt = f.Minflt+p.Minflt, f.Majflt+p.Majflt
	if max(p.MaxRSS, p.MaxRSSBelow) > max(f.MaxRSS, f.MaxRSSBelow) {
		f.MaxRSS, f.MaxRSSBelow, f.MaxRSSBy = p.MaxRSS, p.MaxRSSBelow, p.MaxRSSBy
	}
	f.Exit, f.State, f.Why, f.Tail = p.Exit, p.State, p.Why, p.Tail
}
