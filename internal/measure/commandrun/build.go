package commandrun

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/measure/programrun/target"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/process/totals"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// targetOf returns what tare builds for a command line: the program of go run. It is nil for other commands, and for all that
// a shell runs.
func (m *Measurement) targetOf(words []string) (*target.Target, error) {
	if m.job.Shell || !target.IsRun(words) {
		return nil, nil
	}
	t, err := target.FromCommand(words)
	if err != nil {
		return nil, err
	}
	t.Env = m.job.Setenv
	if m.job.Dir != "" && !filepath.IsAbs(t.Dir) {
		t.Dir = filepath.Join(m.job.Dir, t.Dir)
	}
	return t, nil
}

// build builds the programs of go run, each package once.
func (m *Measurement) build(ctx context.Context) (err error) {
	done := map[string]*program{}
	for k, p := range m.programs {
		if p.target == nil {
			continue
		}
		if m.work == nil {
			if m.work, err = tempdir.Dir("time"); err != nil {
				return exit.Failed(err, "")
			}
		}
		b := &target.Builder{Context: ctx, Work: m.work.Path, Signals: m.Signals, Progress: m.Progress, Stderr: m.Stderr}
		key := strings.Join(slices.Concat([]string{p.target.Dir}, p.target.Flags, []string{""}, p.target.Pkgs), "\x00")
		same := done[key]
		if same == nil {
			m.Progress.Phase("building %s", strings.Join(p.target.Pkgs, " "))
			if err := p.build(b, fmt.Sprint(k)); err != nil {
				return err
			}
			done[key], same = p, p
		}
		if err := m.prepareBuilt(p, same); err != nil {
			return err
		}
	}
	m.nameSides()
	return nil
}

// build builds the program with what counts at its end, or without that where the toolchain does not allow it.
func (p *program) build(b *target.Builder, purpose string) error {
	t := p.target
	if err := b.Resolve(t); err != nil {
		return err
	}
	var flags []string
	with := ""
	tools, err := b.Settings(t)
	if err == nil {
		var overlay string
		overlay, err = tools.RuntimeOverlay(toolchain.Totals)
		flags, with = []string{"-overlay=" + overlay}, "what counts at the end of the program"
	}
	switch {
	case errors.Is(err, toolchain.ErrUnsupported):
		p.uncounted.why, flags, with = err.Error(), nil, ""
	case err != nil:
		return b.Interrupted(exit.Failed(err, ""))
	}
	p.built = flags != nil
	p.Path = t.File(b.Work, purpose)
	return b.Build(t, p.Path, with, flags, nil)
}

// prepareBuilt makes a program one that can be started. same is that of the same package, which was built.
func (m *Measurement) prepareBuilt(p, same *program) error {
	t := p.target
	t.Path, t.Home = same.target.Path, same.target.Home
	p.built, p.uncounted.why = same.built, same.uncounted.why
	c, err := m.starter.Program(append([]string{same.Path}, t.Args...))
	if err != nil {
		return err
	}
	c.Line = t.Line()
	if t.Dir != "" {
		c.Spec.Dir = t.WorkDir()
	}
	p.Program = c
	return nil
}

// uncounted is why figures of a program's runtime are missing.
type uncounted struct {
	why       string // of all or of the last of the runs
	runs      int    // that count, and have no figures
	noThreads string // why the CPU time of threads is not known
}

// count adds to a run the file for what the program's runtime counts. It is nil for programs that do not count.
func (p *program) count(spec *spawn.Spec) (*totals.File, error) {
	if !p.built {
		return nil, nil
	}
	f, err := totals.New()
	if err != nil {
		return nil, err
	}
	spec.Env = append(slices.Clone(spec.Env), f.Env())
	return f, nil
}

// addTotals adds what the program's runtime has counted to the sample of a run. counts says that the run is not one of the
// warm-up.
func (p *program) addTotals(s *record.Sample, f *totals.File, counts bool) {
	if f == nil {
		return
	}
	t, err := f.Read()
	if err != nil {
		if counts {
			p.uncounted.runs++
			p.uncounted.why = err.Error()
		}
		return
	}
	s.V = append(s.V, totalValues(t)...)
	if t.NoThreads != "" {
		p.uncounted.noThreads = t.NoThreads
	}
}

// totalValues returns the figures as values of a sample.
func totalValues(t *totals.Totals) (v []record.Value) {
	add := func(unit string, x float64) { v = append(v, record.Value{Unit: unit, Value: x}) }
	add(result.UnitAlloc, float64(t.Bytes))
	add(result.UnitAllocs, float64(t.Objects))
	add(result.UnitGCCycles, float64(t.Cycles))
	add(result.UnitGCPause, float64(t.Pause))
	add(result.UnitGCCPU, float64(t.GC))
	add(result.UnitProcs, float64(t.Procs))
	add(result.UnitTotals, float64(t.Cost))
	if t.NoThreads != "" {
		return v
	}
	add(result.UnitThreads, float64(len(t.Threads)))
	for _, x := range result.ThreadTimes {
		times := t.Times(x)
		if len(times) == 0 {
			continue // not known of any thread
		}
		s := totals.SpreadOf(times)
		for i, d := range [...]time.Duration{s.Sum, s.Min, s.Avg, s.Max} {
			add(result.UnitThread(x, result.ThreadSpreads[i]), float64(d))
		}
	}
	return v
}

// uncountedWarnings returns those about figures of the program's runtime that are missing. runs is how many runs count.
func (p *program) uncountedWarnings(runs int) (out []*record.Warn) {
	u := &p.uncounted
	switch {
	case p.target == nil:
		return nil
	case !p.built, u.runs >= runs && runs > 0:
		out = append(out, diagnosis.Warn(diagnosis.NoTotals, diagnosis.Facts{"why": u.why}))
	case u.runs > 0:
		out = append(out, diagnosis.WarnForm(diagnosis.NoTotals, "some", diagnosis.Facts{"known": runs - u.runs, "runs": units.Plural(runs, "run"), "why": u.why}))
	}
	if u.noThreads != "" {
		out = append(out, diagnosis.Warn(diagnosis.NoThreads, diagnosis.Facts{"why": u.noThreads}))
	}
	return out
}
