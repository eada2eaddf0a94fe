package programrun

import (
	"errors"
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// Outcome is what was seen of a program.
type Outcome struct {
	Title   string        // the program, without secrets
	Asm     *asm.Run      // machine code; nil for other kinds
	Trace   *record.Trace // what probes have counted; nil without probes
	Traced  time.Duration // of the run with probes
	Sampled *sample.Run   // nil if it was not sampled, or a signal came before
	Plain   time.Duration // of the run without a profiler; 0 if there was none
	Ended   error         // what is wrong with how the runs ended; nil if nothing is
}

// Run builds the program in all ways that the job's kind needs, then runs one after the other, and finishes the record. One
// that tare builds is sampled from within, with all its goroutines. The kernel samples others by CPU time, and one whose
// toolchain does not allow it, unless the job is for wall time.
func (r *Runner) Run() (*Outcome, error) {
	out := &Outcome{}
	if err := r.run(out); err != nil {
		return nil, r.abort(err)
	}
	if out.Asm == nil {
		r.finish()
	}
	return out, nil
}

func (r *Runner) run(out *Outcome) error {
	if r.Job.Kind == record.KindAsm {
		return r.runAsm(out)
	}
	if r.target == nil {
		return r.sampleRunnable(out)
	}
	err := r.lockMachine()
	if err == nil {
		err = r.builder().Resolve(r.target)
	}
	var traced *instrumented
	if err == nil && r.Job.Kind != record.KindSample {
		r.runs++
		traced, err = r.buildInstrumented()
	}
	var sampled *sampled
	if err == nil && r.Job.Kind != record.KindTrace {
		r.runs++
		sampled, err = r.buildSampled()
	}
	if err == nil && r.Job.Plain {
		r.runs++
		err = r.runPlain(out)
	}
	if err == nil && traced != nil {
		err = traced.record(r, out)
	}
	switch {
	case err != nil || sampled == nil:
		return err
	case traced != nil && r.Signals.Caught():
		r.Progress.Note("it was traced, and not sampled")
		return nil
	}
	return sampled.record(r, out)
}

// addEnd adds what is wrong with how a run ended.
func (r *Runner) addEnd(out *Outcome, how string, ended error) {
	if ended != nil && r.Job.Kind == record.KindContrast {
		ended = fmt.Errorf("%s: %w", how, ended)
	}
	out.Ended = errors.Join(out.Ended, ended)
}

// runPlain builds the program without a profiler, runs it and records that.
func (r *Runner) runPlain(out *Outcome) error {
	t := r.target
	path := t.File(r.work, result.PurposePlain)
	if err := r.builder().Build(t, path, "", nil, nil); err != nil {
		return err
	}
	r.beginRun()
	r.Progress.Clear()
	child, err := r.launcher.Spawn(r.ctx, r.spec(path, t.WorkDir(), t.Args))
	if err != nil {
		return r.interrupted(exit.Failed(err, ""))
	}
	res, ended := child.Wait()
	r.addProgram(path)
	r.addFork(result.PurposePlain, t.Line(), res, ended)
	out.Plain = res.Wall()
	r.addEnd(out, "without a profiler", r.failure(res, ended))
	return nil
}
