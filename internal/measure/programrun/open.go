package programrun

import (
	"context"
	"io"
	"os"
	"regexp"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/joblog"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// Options say how a run begins, where its record goes, and where messages go.
type Options struct {
	Job      *job.Program
	Records  string           // file that takes the record; "" for the default place
	Command  []string         // the command line, for the record, without secrets
	Display  string           // the value of --progress
	Lock     session.LockMode // what to do while another tare measures
	Signals  *session.Signals // nil: those of this process are caught
	OnSignal string           // what the first of them does, for people
	Stderr   io.Writer

	// Whole matches functions whose machine code is recorded whatever their share. Nil: none.
	Whole *regexp.Regexp
	// Warnings returns the warnings about calls that were counted. They go into the record. Nil: there are none.
	Warnings func(*record.Trace) ([]*record.Warn, error)
}

// Open checks the job, opens the record, begins to catch signals and starts the launcher. The caller ends the
// run with Close. It fails where the record cannot be written or programs cannot be started.
func Open(o Options) (*Runner, error) {
	r := &Runner{Options: o, start: time.Now()}
	var err error
	if r.head, err = o.Job.Plan(); err != nil {
		return nil, err
	}
	if r.Progress, err = session.NewProgress(o.Stderr, o.Display); err != nil {
		return nil, err
	}
	r.target, _ = o.Job.Target() // checked with the other options
	if r.Signals == nil {
		r.Signals = session.CatchSignals(func(sig os.Signal) { r.Progress.Note("%s: %s", sig, o.OnSignal) })
	}
	r.ctx, r.cancel = r.Signals.FirstContext()
	if err := r.prepare(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// prepare opens the record and starts the launcher.
func (r *Runner) prepare() (err error) {
	if r.Recorder, err = session.OpenRecorder(r.Records, r.head.Seed, r.start); err != nil {
		return err
	}
	r.Recorder.WriteHint = "the result is shown all the same; make room for its record, or name another file by -o"
	if r.place, err = tempdir.Dir(r.Job.Kind); err != nil {
		return exit.Failed(err, "")
	}
	r.work = r.place.Path
	if r.stderr, r.stderrDone, err = joblog.Passthrough(os.Getenv, os.Stderr); err != nil {
		return exit.Failed(err, "")
	}
	if r.launcher, err = spawn.Start(r.ctx, spawn.Config{}); err != nil {
		if r.Signals.Caught() {
			return r.Signals.ExitError()
		}
		return exit.Failed(err, "programs are started by a small program, which the go command builds")
	}
	context.AfterFunc(r.Signals.Context(), func() { r.launcher.Close() }) // at the second signal, or at the end
	return nil
}
