package programrun

import (
	"errors"
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/result"
)

// Contrast is a program that was traced and sampled.
type Contrast struct {
	*Traced
	Sampled *Sampled      // nil if a signal came before
	Plain   time.Duration // of the run without a profiler; 0 if there was none
	Ended   error         // what is wrong with how the runs ended; nil if nothing is
}

// Contrast builds the program in all ways, then runs one after the other and records them. The
// record is not finished.
func (r *Runner) Contrast() (*Contrast, error) {
	if err := r.lockMachine(); err != nil {
		return nil, err
	}
	if err := r.builder().Resolve(r.target); err != nil {
		return nil, err
	}
	traced, err := r.buildInstrumented()
	if err != nil {
		return nil, err
	}
	sampled, err := r.buildSampled()
	if err != nil {
		return nil, err
	}
	out := &Contrast{}
	r.runs = 2
	if r.Job.Plain {
		r.runs++
	}
	add := func(how string, ended error) {
		if ended != nil {
			out.Ended = errors.Join(out.Ended, fmt.Errorf("%s: %w", how, ended))
		}
	}
	if r.Job.Plain {
		path := r.target.File(r.work, result.PurposePlain)
		if err := r.builder().Build(r.target, path, "", nil, nil); err != nil {
			return nil, err
		}
		res, ended, err := r.runPlain(path)
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
	if out.Sampled, err = sampled.record(r); err != nil {
		return nil, err
	}
	add("while it was sampled", out.Sampled.Ended)
	return out, nil
}

// runPlain runs the program without a profiler and records that.
func (r *Runner) runPlain(path string) (res spawn.Result, ended, err error) {
	r.beginRun()
	r.Progress.Clear()
	child, err := r.launcher.Spawn(r.ctx, r.spec(path, r.target.WorkDir(), r.target.Args))
	if err != nil {
		return res, nil, r.interrupted(exit.Failed(err, ""))
	}
	res, ended = child.Wait()
	r.addProgram(path)
	r.addFork(result.PurposePlain, r.target.Line(), res, ended)
	return res, ended, nil
}
