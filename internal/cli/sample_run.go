package cli

import (
	"context"
	"errors"
	"os"

	"github.com/tarebench/tare/internal/clock"
	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/profiler/sample"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/runner"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/internal/toolchain"
	"github.com/tarebench/tare/record"
)

// ofTarget builds a program, looks at it from within, records and shows.
func (f *sampleFlags) ofTarget(st streams, t *goTarget, cfg sample.Config) error {
	return f.watched(st, func(w *watch) (string, *sample.Run, error) {
		if err := w.resolve(w.ctx, t); err != nil {
			return "", nil, err
		}
		p, err := w.looked(t, f.look.wall)
		if err != nil {
			return "", nil, err
		}
		run, err := p.run(w, cfg)
		return t.line(), run, err
	})
}

// ofCommand has the kernel look at any command.
func (f *sampleFlags) ofCommand(st streams, args []string, cfg sample.Config) error {
	return f.watched(st, func(w *watch) (string, *sample.Run, error) {
		p, err := (&command.Starter{Env: os.Environ()}).Program(args)
		if err != nil {
			return "", nil, err
		}
		if err := w.alone(); err != nil {
			return "", nil, w.interrupted(err)
		}
		w.program(p.Line, p.Path)
		run, err := w.byPerf(w.spec(p.Spec.Path, "", p.Spec.Args), cfg)
		return p.Line, run, err
	})
}

// watched is a run of tare sample, whatever it looks at.
func (f *sampleFlags) watched(st streams, look func(*watch) (line string, run *sample.Run, err error)) error {
	w, err := newWatch(st, &f.watch, sampleName)
	if err != nil {
		return err
	}
	defer w.close()
	line, run, err := look(w)
	if err != nil {
		return w.gaveUp(err)
	}
	if err := w.recordSampled(line, run); err != nil {
		return err
	}
	w.finish()
	v, err := render.StackView(&run.How, run.Profile, w.secrets.Mask(line), f.show.options())
	if err != nil {
		return failed(err, "")
	}
	return w.conclude(w.verdict(run.Process, run.Ended), v)
}

func (w *watch) recordSampled(line string, run *sample.Run) error {
	lines, err := run.Lines()
	if err != nil {
		return failed(err, "")
	}
	w.fork(sampleName, line, run.Process, run.Ended, lines...)
	return nil
}

// lookedProgram is a program that is ready to be looked at.
type lookedProgram struct {
	target *goTarget
	path   string
	passed string // why it cannot be looked at from within; "": it can
}

// looked builds the program with its half of the sampler, if its toolchain has a place
// for that. Without, the kernel has to look at it, by CPU time.
func (w *watch) looked(t *goTarget, within bool) (*lookedProgram, error) {
	p := &lookedProgram{target: t, path: t.file(w.work, sampleName)}
	w.progress.Phase("building to look at it from within")
	flags, err := w.insideFlags(t)
	switch {
	case errors.Is(err, toolchain.ErrUnsupported) && !within:
		p.passed = "goroutine stacks: " + err.Error()
	case err != nil:
		hint := ""
		if errors.Is(err, toolchain.ErrUnsupported) {
			hint = "use " + sample.Needed + "; by CPU time the kernel can see it: --cpu"
		}
		return nil, w.interrupted(failed(unprefixed(err, "sample: "), hint))
	}
	return p, w.buildTarget(w.ctx, t, p.path, "what looks at it from within", flags, nil)
}

// insideFlags are those of the build.
func (w *watch) insideFlags(t *goTarget) ([]string, error) {
	e, err := t.settings(w.ctx, w.work)
	if err != nil {
		return nil, err
	}
	overlay, err := e.RuntimeOverlay(toolchain.Sampler)
	if err != nil {
		return nil, err
	}
	return []string{"-overlay=" + overlay}, nil
}

// run runs the program and looks at it.
func (p *lookedProgram) run(w *watch, cfg sample.Config) (*sample.Run, error) {
	if err := w.alone(); err != nil {
		return nil, w.interrupted(err)
	}
	w.program(p.target.line(), p.path)
	spec := w.spec(p.path, p.target.workDir(), p.target.args)
	if p.passed != "" {
		cfg.Mode = record.SampledCPU
		run, err := w.byPerf(spec, cfg)
		if err == nil {
			run.How.Passed = append(run.How.Passed, p.passed)
		}
		return run, err
	}
	w.progress.Clear()
	run, err := sample.Command(w.ctx, w.launch, spec, cfg)
	if err != nil {
		return nil, w.interrupted(failed(unprefixed(err, "sample: "), ""))
	}
	return run, nil
}

func (w *watch) byPerf(spec spawn.Spec, cfg sample.Config) (*sample.Run, error) {
	w.progress.Clear()
	run, err := sample.PerfCommand(w.ctx, w.launch, spec, cfg)
	if err != nil {
		hint := runner.ProbeAdvice(err)
		if hint == "" {
			hint = "programs that tare builds are looked at from within: name the package, or -- go run PACKAGE"
		}
		return nil, w.interrupted(failed(unprefixed(err, "sample: "), hint))
	}
	return run, nil
}

// ofURL looks at a process that runs elsewhere.
func (f *sampleFlags) ofURL(st streams, cfg sample.Config) error {
	f.watch.remote = true
	cfg.Length = f.watch.length
	f.watch.length = 0
	return f.watched(st, func(w *watch) (string, *sample.Run, error) {
		w.progress.Note("connecting to %s", session.HostOf(f.url))
		begin := clock.Now()
		ctx, cancel := context.WithCancel(w.ctx)
		defer cancel()
		res, err := sample.URL(ctx, f.url, cfg)
		if res == nil || res.Profile == nil {
			return "", nil, w.interrupted(failed(unprefixed(err, "sample: "), ""))
		}
		line := w.secrets.Mask(session.HostOf(f.url))
		w.program(line, line)
		return line, &sample.Run{Result: res, Process: spawn.Result{Start: begin, End: clock.Now()}, Ended: err}, nil
	})
}
