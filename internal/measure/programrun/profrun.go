package programrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/measure/programrun/target"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/command"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// Runner runs programs under a profiler.
type Runner struct {
	Options
	Recorder *session.Recorder
	Progress *session.Progress

	start    time.Time
	head     record.Run     // of the record
	target   *target.Target // what tare builds; nil for what is there already
	work     string         // directory for what is built
	place    *tempdir.Place
	ctx      context.Context // ends at the first signal
	cancel   func()
	launcher *spawn.Launcher
	machine  *session.MachineLock
	bins     []*record.Bin // of the programs that were run
	goBuilt  string        // version of Go that built the first of them
	runs     int           // of the program that are still to come
	forks    int
	unsaved  error // why the record is cut off: the result is shown all the same

	stderr     *os.File // of the programs
	stderrDone func()   // is called when they have ended
}

// Close releases everything. A record to which nothing was written is removed.
func (r *Runner) Close() {
	r.cancel()
	if r.launcher != nil {
		r.launcher.Close()
	}
	if r.stderrDone != nil {
		r.stderrDone()
	}
	if r.place != nil {
		r.place.Remove()
	}
	r.machine.Unlock()
	r.Recorder.Discard()
	r.Signals.Stop()
}

// remote reports whether the program runs already: it is neither started nor ended.
func (r *Runner) remote() bool { return r.Job.URL != "" }

// builder returns what builds programs for this run.
func (r *Runner) builder() *target.Builder {
	return &target.Builder{Context: r.ctx, Work: r.work, Signals: r.Signals, Progress: r.Progress, Stderr: r.Stderr}
}

// interrupted returns the error of a step: that of the signal which cut it off, if one did.
func (r *Runner) interrupted(err error) error {
	if r.Signals.Caught() {
		return plan.ErrInterrupted
	}
	return err
}

// lockMachine waits until no other tare measures on this machine. It comes before anything is
// built: compilers would disturb the other one.
func (r *Runner) lockMachine() (err error) {
	if r.machine == nil {
		r.machine, err = session.LockMachine(r.ctx, r.Progress, r.Lock, r.Command)
	}
	return r.interrupted(err)
}

// beginRun tells other tares when this run and those after it should have ended, if that is known.
func (r *Runner) beginRun() {
	if r.Job.Duration > 0 {
		r.machine.EndsAt(time.Now().Add(time.Duration(max(1, r.runs)) * r.Job.Duration))
	}
	r.runs--
}

// warnNotAlone records that another tare measured at the same time, if that is not recorded yet.
func (r *Runner) warnNotAlone() {
	if w := r.machine.Warning(); w != nil {
		r.write(w)
	}
}

// politeEnd is how long a program has to tidy up when it is asked to end, as by Ctrl-C.
const politeEnd = 5 * time.Second

// spec returns how the program is run. Its output goes to our standard error, because standard
// output is for the result.
func (r *Runner) spec(path, dir string, args []string) spawn.Spec {
	return spawn.Spec{
		Path: path, Args: args, Dir: dir, Env: session.Environ(r.Job.Setenv...),
		Stdout: r.stderr, Stderr: r.stderr, Timeout: r.Job.Duration, StopSignal: syscall.SIGINT, Grace: politeEnd,
	}
}

// addProgram notes a program that is run, as a binary of the record.
func (r *Runner) addProgram(path string) {
	b := (&command.Program{Path: path}).Bin(len(r.bins)+1, r.head.Dir)
	b.Pkg = filepath.Base(path)
	if len(r.bins) == 0 {
		r.goBuilt = command.GoVersion(path)
	}
	r.bins = append(r.bins, b)
}

// header returns the first line of the record.
func (r *Runner) header() *record.Run {
	run := session.NewRun(r.start, r.goBuilt)
	run.Kind, run.Config, run.Seed, run.Dir, run.Command = r.head.Kind, r.head.Config, r.head.Seed, r.head.Dir, r.Command
	run.Config.Setenv = redact.Pairs(run.Config.Setenv)
	return &run
}

// addFork records a run of the last program: how it ended, and what profilers know of it. What
// was measured is on disk before anything else is done.
func (r *Runner) addFork(purpose, line string, res spawn.Result, ended error, about ...record.Line) {
	r.forks++
	f := &record.Fork{ID: r.forks, Case: 1, Bin: len(r.bins), Round: 1, Order: r.forks, Purpose: purpose, State: record.StateOK}
	fork.SetUsage(f, res)
	if err := r.failure(res, ended); err != nil {
		f.State, f.Why = record.StateFailed, err.Error()
	}
	if r.Signals.Caught() {
		f.State, f.Why = record.StatePartial, "interrupted"
	}
	lines := []record.Line{r.bins[len(r.bins)-1]}
	if r.forks == 1 {
		c := &record.Case{ID: 1, Name: line, Bin: 1, Mode: record.ModeN, N: 1, SingleShot: true}
		lines = []record.Line{r.header(), lines[0], c}
	}
	if w := r.machine.Warning(); w != nil {
		lines = append(lines, w)
	}
	for _, l := range about {
		switch l := l.(type) {
		case *record.Attach:
			l.Fork = f.ID
		case *record.Warn:
			l.About, l.ID = record.AboutFork, f.ID
		}
		lines = append(lines, l)
	}
	r.write(append(lines, f)...)
}

// write adds to the record, as long as that works: a full disk does not lose what was measured.
func (r *Runner) write(lines ...record.Line) {
	for _, l := range lines {
		if r.unsaved == nil {
			r.unsaved = r.Recorder.Write(l)
		}
	}
}

// failure returns what is wrong with how the program ended: nothing, if it was ended because that
// was asked for.
func (r *Runner) failure(res spawn.Result, ended error) error {
	switch {
	case errors.Is(ended, spawn.ErrTimeout):
		return nil // Duration is over
	case ended != nil && r.remote():
		return exit.TrimPrefix(ended, "sample: ")
	}
	return endError("the program", res, ended)
}

// endError returns what is wrong with how a process ended, nil if nothing is. what names it.
func endError(what string, res spawn.Result, ended error) error {
	switch {
	case ended != nil:
		return fmt.Errorf("%s was ended: %w", what, ended)
	case res.Signal != 0:
		return fmt.Errorf("%s was ended by a signal: %s", what, res.Signal)
	case res.ExitCode != 0:
		return fmt.Errorf("%s ended with status %d", what, res.ExitCode)
	}
	return nil
}

// finish ends the record.
func (r *Runner) finish() {
	end := &record.End{State: record.EndCompleted, Why: "the program has ended"}
	if r.remote() {
		end.Why = "it was sampled for as long as was asked"
	}
	if r.Signals.Caught() {
		end.State, end.Why = record.EndPartial, "interrupted"
	}
	r.warnNotAlone()
	r.write(&record.Overhead{Wall: int64(time.Since(r.start))}, end)
	if r.unsaved == nil {
		r.unsaved = r.Recorder.Close(end.State == record.EndCompleted)
	}
}

// abort ends the record of a run that has nothing to show, and returns the error to print.
func (r *Runner) abort(err error) error {
	r.Progress.Clear()
	if r.Recorder.Begun() {
		why := termtext.OneLine(err.Error())
		if r.Signals.Caught() {
			why = "interrupted"
		}
		r.warnNotAlone()
		r.write(&record.Overhead{Wall: int64(time.Since(r.start))}, &record.End{State: record.EndPartial, Why: why})
		if r.unsaved == nil && r.Recorder.Close(false) == nil {
			r.Progress.Note("what there was until then is in %s", r.Recorder.Path())
		}
	}
	err = session.PrintMoved(r.Stderr, r.Recorder.Moved(), err)
	if !r.Signals.Caught() {
		return err
	}
	if !r.Recorder.Begun() {
		r.Progress.Note("interrupted before there was anything to show")
	}
	return r.Signals.ExitError()
}

// Err returns the error of a run whose result was shown. failed is how the program ended, nil
// if it ended well.
func (r *Runner) Err(failed error) error {
	return session.PrintMoved(r.Stderr, r.Recorder.Moved(), r.err(failed))
}

func (r *Runner) err(failed error) error {
	switch {
	case r.Signals.Caught():
		return r.Signals.ExitError()
	case failed != nil && r.unsaved != nil:
		return errors.Join(exit.Failed(failed, ""), r.unsaved)
	case failed != nil:
		return exit.Failed(failed, "")
	}
	return r.unsaved
}
