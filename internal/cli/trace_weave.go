package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/tarebench/tare/internal/launch"
	"github.com/tarebench/tare/internal/weave"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/report"
	"github.com/tarebench/tare/report/calls"
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
func (f *traceFlags) traced(w *watch, t *goTarget, cfg calls.Config) (shown *shownView, bad, err error) {
	if err := w.resolve(w.ctx, t); err != nil {
		return nil, nil, err
	}
	p, err := w.weave(&f.weave, t)
	if err != nil {
		return nil, nil, err
	}
	c, _, bad, err := p.record(w, cfg)
	if err == nil {
		err = w.finish()
	}
	if err != nil {
		return nil, nil, err
	}
	return callsView(c, w.secrets.mask(t.line())), bad, nil
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
	return c, res.Wall(), w.verdict(res, ended), w.fork(traceName, p.target.line(), res, ended, lines...)
}

// wovenProgram is a program with probes, ready to be run.
type wovenProgram struct {
	target  *goTarget
	woven   *weave.Woven
	arena   weave.ArenaConfig
	path    string
	inlined []weave.Func
	unknown string // why inlined is not known
}

// weave builds the program with probes.
func (w *watch) weave(f *weaveFlags, t *goTarget) (*wovenProgram, error) {
	p := &wovenProgram{target: t, arena: f.arena}
	cfg := f.cfg
	cfg.Dir, cfg.Packages, cfg.Tests, cfg.Flags, cfg.Env = t.dir, t.pkgs, t.test, t.flags, t.goEnviron(nil)
	cfg.Work = filepath.Join(w.work, "woven")
	if err := os.Mkdir(cfg.Work, 0o777); err != nil {
		return nil, failed(err, "")
	}
	w.progress.phase("looking for functions that match")
	var err error
	if p.woven, err = weave.Plan(w.ctx, cfg); err != nil {
		hint := ""
		if errors.Is(err, weave.ErrUnfit) {
			hint = "tare sample looks from outside, and needs no place for probes"
		}
		return nil, w.interrupted(failed(unprefixed(err, "weave: "), hint))
	}
	w.progress.phase("building with probes in %d functions", len(p.woven.Funcs))
	if p.inlined, err = p.woven.Inlinable(w.ctx); err != nil {
		p.unknown = oneLine(err.Error())
	}
	p.path = t.file(w.work, traceName)
	err = w.buildTarget(w.ctx, t, p.path, "probes", p.woven.Flags, p.woven.Env)
	return p, err
}

// run runs the program, and reads what was counted however it ends.
func (p *wovenProgram) run(w *watch) (t *record.Trace, res launch.Result, ended, err error) {
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
	w.progress.clear()
	child, err := w.launch.Spawn(w.ctx, spec)
	if err != nil {
		return nil, res, nil, w.interrupted(failed(err, ""))
	}
	res, ended = child.Wait()
	t, err = weave.Read(arena.Path, p.woven)
	if errors.Is(err, weave.ErrNotRun) {
		if bad := w.verdict(res, ended); bad != nil {
			err = bad
		}
		return nil, res, ended, failed(fmt.Errorf("nothing was counted: %w", err), fmt.Sprintf("it ran for %s", res.Wall().Round(time.Millisecond)))
	}
	if err != nil {
		return nil, res, ended, failed(unprefixed(err, "weave: "), "")
	}
	t.Binary, t.Unknown = filepath.Base(p.path), p.unknown
	for _, fn := range p.inlined {
		t.Inlined = append(t.Inlined, fn.Name)
	}
	if b := (&program{path: p.path}).binary(1, ""); b.built.Go != "" {
		t.Version = b.built.Go
	}
	return t, res, ended, nil
}

// traceLines are what a record holds of it.
func traceLines(t *record.Trace, c *calls.Calls) ([]record.Line, error) {
	data, err := json.Marshal(t)
	if err != nil {
		return nil, failed(err, "")
	}
	out := []record.Line{&record.Attach{Name: record.AttachTrace, Media: "application/json", Data: data}}
	for _, d := range c.Warnings() {
		out = append(out, &record.Warn{Code: d.Code, Text: d.Text, Advice: d.Advice})
	}
	return out, nil
}

// callsSuffixes are forms of what was counted.
var callsSuffixes = []string{".pb.gz", ".folded", ".svg", ".trace.json"}

// callsView is what was counted in all its forms.
func callsView(c *calls.Calls, title string) *shownView {
	return &shownView{
		title: title,
		text: func(w io.Writer, o report.Options) error {
			return c.Text(w, calls.Options{Title: title, Width: o.Width, UTF8: o.UTF8, Color: o.Color, Verbose: o.Verbose})
		},
		json: asJSON(c),
		files: map[string]func(io.Writer) error{
			".pb.gz": c.Pprof, ".folded": c.Collapsed, ".trace.json": c.Events,
			".svg": func(w io.Writer) error {
				v, err := c.View()
				if err != nil {
					return err
				}
				return v.Flame(w)
			},
		},
	}
}
