package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/fork"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/internal/tempdir"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// watchFlags are those of every verb that watches a program: trace, sample, contrast.
type watchFlags struct {
	env      []string
	tags     string
	length   time.Duration
	noWait   bool
	progress string
	show     showFlags
	out      outlet
	remote   bool // the program is not ours: nobody starts or ends it
}

func (f *watchFlags) register(fl *pflag.FlagSet) {
	fl.StringVar(&f.tags, "tags", "", "build tags of the package, comma-separated")
	fl.StringArrayVar(&f.env, "env", nil, "set a variable for the program: `K=V`, repeatable")
	fl.DurationVar(&f.length, "length", 0, "end the program after so long, as Ctrl-C does (default: it ends by itself)")
	fl.BoolVar(&f.noWait, "no-wait", false, "refuse to run, instead of waiting, while another tare measures")
	fl.StringVar(&f.progress, "progress", "auto", "auto, plain or none")
	f.show.several = true
	f.show.register(fl, true, withoutListing()...)
	fl.Lookup("output").Usage = "write records to `FILE` (.jsonl), or what its suffix names: " + strings.Join(f.out.known(), " ") + "; repeatable"
	fl.Lookup("verbose").Usage = "more columns and longer lists"
}

// ofRun are the flags that a record shown again has no use for.
var ofRun = []string{"tags", "env", "length", "no-wait"}

// check finds mistakes in the flags, before anything is built.
func (f *watchFlags) check() error {
	var errs []error
	for _, kv := range f.env {
		if k, _, ok := strings.Cut(kv, "="); !ok || k == "" {
			errs = append(errs, fmt.Errorf("--env %q is not K=V", session.MaskWord(kv)))
		}
	}
	if f.length < 0 {
		errs = append(errs, fmt.Errorf("--length %s is less than 0", f.length))
	}
	if err := errors.Join(errs...); err != nil {
		return usageError(err, "")
	}
	return f.out.check(&f.show)
}

// politeEnd is how long a program has to tidy up when it is asked to end, as by Ctrl-C.
const politeEnd = 5 * time.Second

// watch is a run of a verb that watches a program.
type watch struct {
	*benchSession
	f       *watchFlags
	verb    string
	work    string // directory for what is built
	scratch *tempdir.Place
	ctx     context.Context
	done    func()
	launch  *spawn.Launcher
	forks   int
	unsaved error // why the record is cut off: the result is shown all the same
}

// newWatch checks what can be checked, opens the record and starts the launcher.
func newWatch(st streams, f *watchFlags, verb string) (w *watch, err error) {
	b := &benchFlags{noWait: f.noWait, progress: f.progress, show: f.show}
	b.show.out, b.show.more = f.out.records, nil
	w = &watch{benchSession: newSession(st, b), f: f, verb: verb, done: func() {}}
	s := w.benchSession
	if s.progress, err = session.NewProgress(s.err, f.progress); err != nil {
		return nil, err
	}
	if s.run.Dir, err = os.Getwd(); err != nil {
		return nil, failed(err, "")
	}
	s.run.Kind = verb
	s.run.Config = record.Config{Packages: []string{}, Forks: 1, Iterations: 1, Benchtime: "1x", Setenv: f.env, Tags: f.tags, Prof: []string{verb}, ProfForks: 1}
	s.run.Seed = drawSeed("")
	s.secrets = session.NewRedactor(append(os.Environ(), f.env...)...).WithArgs(session.TypedArgs())
	s.command = []string{"tare", verb}
	for _, word := range session.MaskArgs(session.TypedArgs()) {
		s.command = append(s.command, s.secrets.Mask(word))
	}
	s.signals = session.CatchSignals(func(sig os.Signal) {
		end := "ending the program"
		if f.remote {
			end = "leaving the process alone"
		}
		s.progress.Note("%s: %s; what there is until now is shown", sig, end)
	})
	w.ctx, w.done = s.signals.FirstContext()
	context.AfterFunc(s.signals.Context(), func() { // the second signal, or all is over
		if w.launch != nil {
			w.launch.Close()
		}
	})
	if err := w.ready(); err != nil {
		w.close()
		if s.signals.Caught() {
			return nil, s.signals.ExitError()
		}
		return nil, err
	}
	return w, nil
}

func (w *watch) ready() (err error) {
	if err := w.openOutput(); err != nil {
		return err
	}
	w.sink.WriteHint = "the result is shown all the same; make room for its record, or name another file by -o"
	if w.scratch, err = tempdir.Dir(w.verb); err != nil {
		return failed(err, "")
	}
	w.work = w.scratch.Path
	if w.launch, err = spawn.Start(w.ctx, spawn.Config{}); err != nil {
		return w.interrupted(failed(err, "programs are started by a small program, which the go command builds"))
	}
	return nil
}

// close releases everything.
func (w *watch) close() {
	w.done()
	if w.launch != nil {
		w.launch.Close()
	}
	if w.scratch != nil {
		w.scratch.Remove()
	}
	w.tidy()
	w.signals.Stop()
}

// spec is how the program is run: it writes to our standard error, because ours is for
// the result.
func (w *watch) spec(path, dir string, args []string) spawn.Spec {
	return spawn.Spec{
		Path: path, Args: args, Dir: dir, Env: session.LastOfEach(append(os.Environ(), w.f.env...)),
		Stdout: os.Stderr, Stderr: os.Stderr, Timeout: w.f.length, StopSignal: syscall.SIGINT, Grace: politeEnd,
	}
}

// alone waits until no other tare measures on this machine.
func (w *watch) alone() (err error) {
	if w.machine == nil {
		w.machine, err = session.LockMachine(w.ctx, w.progress, w.f.noWait)
	}
	return err
}

// program is one that was run, and is recorded as a case of its own binary.
func (w *watch) program(line, path string) {
	b := programBinary(&command.Program{Line: line, Path: path}, len(w.bins)+1, w.run.Dir)
	b.Pkg = filepath.Base(path)
	w.bins = append(w.bins, b)
}

// fork records a run of the program: how it ended, and what is known of it. What was
// measured is on disk before anything else is done.
func (w *watch) fork(purpose, line string, res spawn.Result, ended error, about ...record.Line) {
	w.forks++
	f := &record.Fork{ID: w.forks, Case: 1, Bin: len(w.bins), Round: 1, Order: w.forks, Purpose: purpose, State: record.StateOK}
	fork.SetUsage(f, res)
	if err := w.verdict(res, ended); err != nil {
		f.State, f.Why = record.StateFailed, err.Error()
	}
	if w.signals.Caught() {
		f.State, f.Why = record.StatePartial, "interrupted"
	}
	var lines []record.Line
	bin := &w.bins[len(w.bins)-1].Bin
	if w.forks == 1 {
		c := &record.Case{ID: 1, Name: w.secrets.Mask(line), Bin: 1, Mode: record.ModeN, N: 1, Shot: true}
		lines = append(lines, w.header(), bin, c)
	} else {
		lines = append(lines, bin)
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
	w.writeAll(append(lines, f)...)
}

// writeAll adds to the record, as long as that works: what was counted is not lost with
// the disk that it should be on.
func (w *watch) writeAll(lines ...record.Line) {
	for _, l := range lines {
		if w.unsaved == nil {
			w.unsaved = w.write(l)
		}
	}
}

// verdict says what is wrong with how the program ended: nothing, if it was ended
// because that was asked for.
func (w *watch) verdict(res spawn.Result, ended error) error {
	switch {
	case errors.Is(ended, spawn.ErrTimeout):
		return nil // --length
	case ended != nil && w.f.remote:
		return unprefixed(ended, "sample: ")
	case ended != nil:
		return fmt.Errorf("the program was ended: %w", ended)
	case res.Signal != 0:
		return fmt.Errorf("the program was ended by a signal: %s", res.Signal)
	case res.ExitCode != 0:
		return fmt.Errorf("the program ended with status %d", res.ExitCode)
	}
	return nil
}

// finish ends the record.
func (w *watch) finish() {
	end := &record.End{State: record.EndCompleted, Why: "the program has ended"}
	if w.f.remote {
		end.Why = "it was looked at for as long as was asked"
	}
	if w.signals.Caught() {
		end.State, end.Why = record.EndPartial, "interrupted"
	}
	w.writeAll(&record.Tare{Wall: int64(time.Since(w.start))}, end)
	if w.unsaved == nil {
		w.unsaved = w.sink.Close(true)
	}
}

// gaveUp is the end of a run that has nothing to show, but perhaps half of it in its
// record.
func (w *watch) gaveUp(err error) error {
	w.progress.Clear()
	if w.sink.Begun() {
		why := termtext.OneLine(w.secrets.Mask(err.Error()))
		if w.signals.Caught() {
			why = "interrupted"
		}
		w.writeAll(&record.Tare{Wall: int64(time.Since(w.start))}, &record.End{State: record.EndPartial, Why: why})
		if w.unsaved == nil && w.sink.Close(true) == nil {
			w.progress.Note("what there was until then is in %s", w.sink.Path())
		}
	}
	if w.signals.Caught() {
		if !w.sink.Begun() {
			w.progress.Note("interrupted before there was anything to show")
		}
		return w.signals.ExitError()
	}
	return err
}

// conclude shows the result, and says how the program ended.
func (w *watch) conclude(bad error, shown ...*render.View) error {
	w.progress.Clear()
	w.f.out.record = w.sink.Path()
	if err := w.f.out.print(w.streams, &w.f.show, shown); err != nil {
		if w.signals.Caught() {
			return w.signals.ExitError()
		}
		return err
	}
	switch {
	case w.signals.Caught():
		return w.signals.ExitError()
	case bad != nil && w.unsaved != nil:
		return errors.Join(failed(bad, ""), w.unsaved)
	case bad != nil:
		return failed(bad, "")
	}
	return w.unsaved
}
