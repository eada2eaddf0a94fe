package programrun

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/golang/instrument"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/command"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// instrumented is a program with probes that is ready to run.
type instrumented struct {
	build     *instrument.Build
	path      string
	inlined   []instrument.Func
	noInlined string // why inlined is not known
}

// buildInstrumented builds the program with probes.
func (r *Runner) buildInstrumented() (*instrumented, error) {
	p, t := &instrumented{}, r.target
	if _, err := r.builder().Settings(t); err != nil {
		return nil, r.interrupted(exit.Failed(err, ""))
	}
	c := r.Job.Functions()
	g := t.Command()
	c.Dir, c.Packages, c.Tests, c.Flags, c.Go, c.Env = g.Dir, t.Pkgs, t.Test, t.Flags, g.Go, g.Env
	c.Work = filepath.Join(r.work, "instrumented")
	if err := os.Mkdir(c.Work, 0o777); err != nil {
		return nil, exit.Failed(err, "")
	}
	r.Progress.Phase("looking for functions that match")
	var err error
	if p.build, err = instrument.Plan(r.ctx, c); err != nil {
		hint := ""
		if errors.Is(err, toolchain.ErrUnsupported) {
			hint = "tare sample needs no probes"
		}
		return nil, r.interrupted(exit.Failed(err, hint))
	}
	r.Progress.Phase("building with probes in %d functions", len(p.build.Funcs))
	if p.inlined, err = p.build.Inlinable(r.ctx); err != nil {
		p.noInlined = termtext.OneLine(err.Error())
	}
	p.path = t.File(r.work, record.KindTrace)
	if err := r.builder().Build(t, p.path, "probes", p.build.Flags, p.build.Env); err != nil {
		return nil, err
	}
	if err := p.build.Check(p.path); err != nil {
		return nil, exit.Failed(err, "")
	}
	return p, nil
}

// record runs the program and records it.
func (p *instrumented) record(r *Runner, out *Outcome) error {
	trace, res, ended, err := p.run(r)
	if err != nil {
		return err
	}
	lines, err := r.traceLines(trace)
	if err != nil {
		return err
	}
	r.addProgram(p.path)
	r.addFork(record.KindTrace, r.target.Line(), res, ended, lines...)
	out.Title, out.Trace, out.Traced = redact.Text(r.target.Line()), trace, res.Wall()
	r.addEnd(out, "with probes", r.failure(res, ended))
	return nil
}

// run runs the program, and reads what was counted however it ends.
func (p *instrumented) run(r *Runner) (t *record.Trace, res spawn.Result, ended, err error) {
	r.beginRun()
	arena, err := p.build.NewArena(instrument.ArenaConfig{Size: r.Job.Room, PathCalls: r.Job.KeepCalls})
	if err != nil {
		return nil, res, nil, exit.Failed(err, "")
	}
	defer arena.Close()
	spec := r.spec(p.path, r.target.WorkDir(), r.target.Args)
	spec.Env = append(spec.Env, arena.Env())
	r.Progress.Clear()
	others := watchOthers()
	child, err := r.launcher.Spawn(r.ctx, spec)
	if err != nil {
		return nil, res, nil, r.interrupted(exit.Failed(err, ""))
	}
	waits := watchWaits(child.Pid())
	res, ended = child.Wait()
	delay := waits.share(res.User + res.Sys)
	shared := others.share(res.User + res.Sys)
	t, err = instrument.Read(arena.Path, p.build)
	if errors.Is(err, instrument.ErrNotRun) {
		if bad := r.failure(res, ended); bad != nil {
			err = bad
		}
		return nil, res, ended, exit.Failed(fmt.Errorf("nothing was counted: %w", err), fmt.Sprintf("it ran for %s", res.Wall().Round(time.Millisecond)))
	}
	if err != nil {
		return nil, res, ended, exit.Failed(err, "")
	}
	t.Binary, t.Unknown, t.Others, t.Waited = filepath.Base(p.path), p.noInlined, shared, delay
	for _, fn := range p.inlined {
		t.Inlined = append(t.Inlined, fn.Name)
		if fn.Allocates {
			t.Allocs = append(t.Allocs, fn.Name)
		}
	}
	if version := command.GoVersion(p.path); version != "" {
		t.Version = version
	}
	return t, res, ended, nil
}

// traceLines returns the lines of the record. What would make a line too long to be read again is left out:
// of the execution path first, then of the tree of calls.
func (r *Runner) traceLines(t *record.Trace) ([]record.Line, error) {
	data, err := json.Marshal(t)
	if err != nil {
		return nil, exit.Failed(err, "")
	}
	var out []record.Line
	for short := *t; len(data) > maxTraceJSON; {
		if !short.Shorten() {
			return nil, exit.Failed(fmt.Errorf("%d functions are too many for a record", len(t.Funcs)), "match fewer")
		}
		if data, err = json.Marshal(&short); err != nil {
			return nil, exit.Failed(err, "")
		}
		out = []record.Line{diagnosis.Warn(diagnosis.Shortened, diagnosis.Facts{
			"path": len(short.Path), "fullPath": len(t.Path), "tree": len(short.Tree), "fullTree": len(t.Tree),
		})}
	}
	out = append(out, &record.Attach{Name: record.AttachTrace, Media: "application/json", Data: data})
	if r.Warnings == nil {
		return out, nil
	}
	warnings, err := r.Warnings(t)
	if err != nil {
		return nil, exit.Failed(err, "")
	}
	for _, w := range warnings {
		out = append(out, w)
	}
	return out, nil
}

// maxTraceJSON is the longest trace in bytes: encoding adds a third.
const maxTraceJSON = record.MaxLine/4*3 - 1<<20
