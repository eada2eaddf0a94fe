package cli

import (
	"os"
	"time"

	"github.com/tarebench/tare/internal/profrun"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/session"
)

// programRun is a run of a program under a profiler.
type programRun struct {
	*profrun.Runner
	streams
}

// runOptions say how one begins.
type runOptions struct {
	profrun.Config
	records  string   // file that takes the record; "" for the default place
	command  []string // the command line for the record, without secrets
	progress string
	noWait   bool
	onSignal string // what the first signal does
}

// startRun opens the record and starts the launcher.
func startRun(st streams, o runOptions) (*programRun, error) {
	s := profrun.Session{Start: time.Now(), Stderr: st.err, NoWait: o.noWait, Seed: drawSeed(""), Command: o.command}
	var err error
	if s.Progress, err = session.NewProgress(st.err, o.progress); err != nil {
		return nil, err
	}
	if s.Here, err = os.Getwd(); err != nil {
		return nil, failed(err, "")
	}
	s.Redactor = redactorOf(o.Env)
	s.Signals = session.CatchSignals(func(sig os.Signal) { s.Progress.Note("%s: %s", sig, o.onSignal) })
	if s.Recorder, err = session.OpenRecorder(o.records, s.Seed, s.Start); err != nil {
		s.Signals.Stop()
		return nil, err
	}
	r, err := profrun.New(s, o.Config)
	if err != nil {
		s.Recorder.Discard()
		s.Signals.Stop()
		return nil, err
	}
	return &programRun{r, st}, nil
}

// redactorOf hides the secrets of our environment, of settings K=V and of the command line.
func redactorOf(settings []string) session.Redactor {
	return session.NewRedactor(append(os.Environ(), settings...)...).WithArgs(session.TypedArgs())
}

// close releases everything.
func (r *programRun) close() {
	r.Close()
	r.Recorder.Discard()
	r.Signals.Stop()
}

// start begins a run of trace, sample or contrast.
func (f *watchFlags) start(st streams, verb string) (*programRun, error) {
	o := runOptions{
		Config:  profrun.Config{Verb: verb, Env: f.env, Tags: f.tags, Duration: f.length, Remote: f.remote},
		records: f.out.Records, command: []string{"tare", verb}, progress: f.progress, noWait: f.noWait,
		onSignal: "ending the program; what there is until now is shown",
	}
	if f.remote {
		o.onSignal = "leaving the process alone; what there is until now is shown"
	}
	hide := redactorOf(f.env)
	for _, word := range session.MaskArgs(session.TypedArgs()) {
		o.command = append(o.command, hide.Mask(word))
	}
	return startRun(st, o)
}

// printRun shows the result, and says how the program ended.
func (f *watchFlags) printRun(r *programRun, ended error, shown ...*render.View) error {
	r.Progress.Clear()
	f.out.record = r.Recorder.Path()
	if err := f.out.print(r.streams, &f.show, shown); err != nil {
		if r.Signals.Caught() {
			return r.Signals.ExitError()
		}
		return err
	}
	return r.Err(ended)
}
