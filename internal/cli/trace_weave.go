package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/instrument"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/calls"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/internal/toolchain"
	"github.com/tarebench/tare/record"
)

// trace weaves, builds, runs, records and shows.
func (f *traceFlags) trace(st streams, t *goTarget, cfg calls.Config) error {
	w, err := newWatch(st, &f.watch, traceName)
	if err != nil {
		return err
	}
	defer w.close()
	shown, bad, err := f.traced(w, t, cfg)
	if err != nil {
		return w.gaveUp(err)
	}
	return w.conclude(bad, shown)
}

// traced is what there is to show, and what is wrong with how the program ended.
func (f *traceFlags) traced(w *watch, t *goTarget, cfg calls.Config) (shown *render.View, bad, err error) {
	if err := w.resolve(w.ctx, t); err != nil {
		return nil, nil, err
	}
	p, err := w.weave(&f.weave, t)
	if err != nil {
		return nil, nil, err
	}
	c, _, bad, err := p.record(w, cfg)
	if err != nil {
		return nil, nil, err
	}
	w.finish()
	return render.CallsView(c, w.secrets.Mask(t.line())), bad, nil
}

// record runs the program and records it.
func (p *wovenProgram) record(w *watch, cfg calls.Config) (c *calls.Calls, wall time.Duration, bad, err error) {
	trace, res, ended, err := p.run(w)
	if err != nil {
		return nil, 0, nil, err
	}
	if c, err = calls.New(trace, cfg); err != nil {
		return nil, 0, nil, failed(err, "")
	}
	lines, err := traceLines(trace, c)
	if err != nil {
		return nil, 0, nil, err
	}
	w.program(p.target.line(), p.path)
	w.fork(traceName, p.target.line(), res, ended, lines...)
	return c, res.Wall(), w.verdict(res, ended), nil
}

// wovenProgram is a program with probes, ready to be run.
type wovenProgram struct {
	target  *goTarget
	woven   *instrument.Build
	arena   instrument.ArenaConfig
	path    string
	inlined []instrument.Func
	unknown string // why inlined is not known
}

// weave builds the program with probes.
func (w *watch) weave(f *weaveFlags, t *goTarget) (*wovenProgram, error) {
	p := &wovenProgram{target: t, arena: f.arena}
	cfg := f.cfg
	if _, err := t.settings(w.ctx, w.work); err != nil {
		return nil, w.interrupted(failed(err, ""))
	}
	cfg.Dir, cfg.Packages, cfg.Tests, cfg.Flags, cfg.Go, cfg.Env = t.dir, t.pkgs, t.test, t.flags, t.goPath, t.goEnviron(nil)
	cfg.Work = filepath.Join(w.work, "woven")
	if err := os.Mkdir(cfg.Work, 0o777); err != nil {
		return nil, failed(err, "")
	}
	w.progress.Phase("looking for functions that match")
	var err error
	if p.woven, err = instrument.Plan(w.ctx, cfg); err != nil {
		hint := ""
		if errors.Is(err, toolchain.ErrUnsupported) {
			hint = "tare sample looks from outside, and needs no place for probes"
		}
		return nil, w.interrupted(failed(unprefixed(err, "weave: "), hint))
	}
	w.progress.Phase("building with probes in %d functions", len(p.woven.Funcs))
	if p.inlined, err = p.woven.Inlinable(w.ctx); err != nil {
		p.unknown = termtext.OneLine(err.Error())
	}
	p.path = t.file(w.work, traceName)
	if err := w.buildTarget(w.ctx, t, p.path, "probes", p.woven.Flags, p.woven.Env); err != nil {
		return nil, err
	}
	if err := p.woven.Check(p.path); err != nil {
		return nil, failed(unprefixed(err, "weave: "), "")
	}
	return p, nil
}

// run runs the program, and reads what was counted however it ends.
func (p *wovenProgram) run(w *watch) (t *record.Trace, res spawn.Result, ended, err error) {
	if err := w.alone(); err != nil {
		return nil, res, nil, w.interrupted(err)
	}
	arena, err := p.woven.NewArena(p.arena)
	if err != nil {
		return nil, res, nil, failed(unprefixed(err, "weave: "), "")
	}
	defer arena.Close()
	spec := w.spec(p.path, p.target.workDir(), p.target.args)
	spec.Env = append(spec.Env, arena.Env())
	w.progress.Clear()
	others := watchOthers()
	child, err := w.launch.Spawn(w.ctx, spec)
	if err != nil {
		return nil, res, nil, w.interrupted(failed(err, ""))
	}
	res, ended = child.Wait()
	shared := others.share(res.User + res.Sys)
	t, err = instrument.Read(arena.Path, p.woven)
	if errors.Is(err, instrument.ErrNotRun) {
		if bad := w.verdict(res, ended); bad != nil {
			err = bad
		}
		return nil, res, ended, failed(fmt.Errorf("nothing was counted: %w", err), fmt.Sprintf("it ran for %s", res.Wall().Round(time.Millisecond)))
	}
	if err != nil {
		return nil, res, ended, failed(unprefixed(err, "weave: "), "")
	}
	t.Binary, t.Unknown, t.Others = filepath.Base(p.path), p.unknown, shared
	for _, fn := range p.inlined {
		t.Inlined = append(t.Inlined, fn.Name)
	}
	if version := command.GoVersion(p.path); version != "" {
		t.Version = version
	}
	return t, res, ended, nil
}

// traceLines are what a record holds of it: all but what makes a line too long to be
// read again, of the path first and then of the tree.
func traceLines(t *record.Trace, c *calls.Calls) ([]record.Line, error) {
	data, err := json.Marshal(t)
	if err != nil {
		return nil, failed(err, "")
	}
	var out []record.Line
	for short := *t; len(data) > maxTraceJSON; {
		if !short.Shorten() {
			return nil, failed(fmt.Errorf("%d functions are too many for a record", len(t.Funcs)), "match fewer")
		}
		if data, err = json.Marshal(&short); err != nil {
			return nil, failed(err, "")
		}
		out = []record.Line{&record.Warn{Code: "shortened",
			Text:   fmt.Sprintf("the record holds %d of %d steps of the path, and %d of %d elements of the tree: more make its line too long", len(short.Path), len(t.Path), len(short.Tree), len(t.Tree)),
			Advice: "-o FILE.trace.json and -o FILE.json hold all of it"}}
	}
	out = append(out, &record.Attach{Name: record.AttachTrace, Media: "application/json", Data: data})
	for _, d := range c.Warnings() {
		out = append(out, &record.Warn{Code: d.Code, Text: d.Text, Advice: d.Advice})
	}
	return out, nil
}

// maxTraceJSON is how long a trace may be: a third is added by how bytes are written.
const maxTraceJSON = record.MaxLine/4*3 - 1<<20

// callsSuffixes are forms of what was counted.
var callsSuffixes = []string{".pb.gz", ".folded", ".svg", render.TraceEventsSuffix}
