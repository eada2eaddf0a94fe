package programrun

import (
	"errors"
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/programrun/target"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/internal/result"
)

// ContrastConfig says how a program is traced and sampled.
type ContrastConfig struct {
	Trace  TraceConfig
	Sample sample.Config
	Wall   bool // only wall time will do
	Plain  bool // run it without a profiler, too
}

// Contrast is a program that was traced and sampled.
type Contrast struct {
	*Traced
	Sampled *Sampled      // nil if a signal came before
	Plain   time.Duration // of the run without a profiler; 0 if there was none
	Ended   error         // what is wrong with how the runs ended; nil if nothing is
}

// Contrast builds the target in all ways, then runs one after the other and records them. The
// record is not finished.
func (r *Runner) Contrast(t *target.Target, cfg ContrastConfig) (*Contrast, error) {
	if err := r.lockMachine(); err != nil {
		return nil, err
	}
	if err := r.builder().Resolve(t); err != nil {
		return nil, err
	}
	traced, err := r.buildInstrumented(t, cfg.Trace)
	if err != nil {
		return nil, err
	}
	sampled, err := r.buildSampled(t, cfg.Wall)
	if err != nil {
		return nil, err
	}
	out := &Contrast{}
	r.runs = 2
	if cfg.Plain {
		r.runs++
	}
	add := func(how string, ended error) {
		if ended != nil {
			out.Ended = errors.Join(out.Ended, fmt.Errorf("%s: %w", how, ended))
		}
	}
	if cfg.Plain {
		path := t.File(r.work, result.PurposePlain)
		if err := r.builder().Build(t, path, "", nil, nil); err != nil {
			return nil, err
		}
		res, ended, err := r.runPlain(t, path)
		if err != nil {
			return nil, err
		}
		out.Plain = res.Wall()
		add("without a profiler", r.failure(res, ended))
	}
	if out.Traced, err = traced.record(r); err != nil {
		return nil, err
	}
	add("with probes", out.Traced.Ended)
	if r.Signals.Caught() {
		r.Progress.Note("it was traced, and not sampled")
		return out, nil
	}
	if out.Sampled, err = sampled.record(r, cfg.Sample); err != nil {
		return nil, err
	}
	add("while it was sampled", out.Sampled.Ended)
	return out, nil
}

// runPlain runs the program without a profiler and records that.
func (r *Runner) runPlain(t *target.Target, path string) (res spawn.Result, ended, err error) {
	r.beginRun()
	r.Progress.Clear()
	child, err := r.launcher.Spawn(r.ctx, r.spec(path, t.WorkDir(), t.Args))
	if err != nil {
		return res, nil, r.interrupted(exit.Failed(err, ""))
	}
	res, ended = child.Wait()
	r.addProgram(path)
	r.addFork(result.PurposePlain, t.Line(), res, ended)
	return res, ended, nil
}
