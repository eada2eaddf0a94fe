package loadrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/measure/loadrun/gotarget"
	"github.com/tarebench/tare/internal/measure/loadrun/marks"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/process/service"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// Session is where a run writes, and what ends it.
type Session struct {
	Output  string    // the file of the record; "": in the user's cache
	LogFile string    // of an interval log; "": none
	Printed io.Writer // where a database prints operations, if a property asks for that; nil for nowhere
	Signals *session.Signals
	Status  *Status
	Start   time.Time               // of the command
	Command []string                // as it was typed, without secrets; none: there was no command
	Opened  func(*session.Recorder) // is called before anything is written; it may be nil
}

// Runner measures a plan and writes the record.
type Runner struct {
	Session
	Recorder *session.Recorder
	Log      *Log       // nil if there is none
	YCSB     *YCSBFiles // nil if there are none
	plan     *Plan
	out      *recorder
	server   *service.Server      // of a run without sides; nil if tare starts none
	reported []string             // first errors of sides that were written
	marks    *marks.Reader        // of a run without sides
	machine  *session.MachineLock // none: runs of several generators may belong together
}

// Open opens the files of a run. It measures nothing yet.
func Open(p *Plan, s Session) (*Runner, error) {
	r := &Runner{Session: s, plan: p}
	var err error
	if r.Recorder, err = session.OpenRecorder(s.Output, p.Seed, s.Start); err != nil {
		return nil, err
	}
	if s.LogFile != "" {
		r.Log, err = openLog(s.LogFile)
	}
	if err == nil {
		r.YCSB, err = openYCSBFiles(p)
	}
	if err != nil {
		r.Log.discard()
		r.Recorder.Discard()
		return nil, err
	}
	p.settings.Printed = s.Printed
	r.out = &recorder{Recorder: r.Recorder, log: r.Log, ycsb: r.YCSB, redact: p.Redact}
	if s.Opened != nil {
		s.Opened(r.Recorder)
	}
	return r, nil
}

// ErrStopped is the error of a run that a second signal ended at once.
var ErrStopped = errors.New("stopped by a second signal")

// Run opens the system, measures, and writes the record, or gathers what agents kept. It returns ErrStopped without
// waiting for anything at the second signal. What was measured until an error is in the
// result.
func (r *Runner) Run() error {
	if r.plan.gathered != nil {
		return r.gather()
	}
	ctx, cancel := r.Signals.FirstContext()
	defer cancel()
	var err error
	if r.machine, err = session.LockMachine(ctx, nil, session.LockMode{NoLock: true}, r.command()); err != nil {
		return err
	}
	defer r.machine.Unlock()
	done := make(chan error, 1)
	go func() { done <- r.measure(ctx) }()
	select {
	case err := <-done:
		return err
	case <-r.Signals.Context().Done():
		return ErrStopped
	}
}

// Result returns what was measured so far.
func (r *Runner) Result() *result.Result { return r.out.Result() }

// WriteError returns the error of the first output that could not be written, or nil.
func (r *Runner) WriteError() error { return r.out.err }

// Close ends the record and the log. If complete is set, it gives the files their requested names.
func (r *Runner) Close(complete bool) error { return r.out.close(complete) }

// Files returns the names of the record and of the log, as they are now.
func (r *Runner) Files() []string {
	files := []string{r.Recorder.Path()}
	if r.Log != nil {
		files = append(files, r.Log.file.Path())
	}
	return append(files, r.YCSB.paths()...)
}

// Moved returns the error of a record or a log that another program removed, replaced or
// truncated while it was written; nil if none did.
func (r *Runner) Moved() error { return r.out.moved() }

// Discard removes temporary files, and those to which nothing was written.
func (r *Runner) Discard() {
	r.YCSB.remove()
	if !r.out.Begun() {
		r.Log.discard()
	}
	r.Recorder.Discard()
}

// measure opens the system, writes the head of the record, runs the phases, and writes
// the end of the record.
func (r *Runner) measure(ctx context.Context) (err error) {
	if r.plan.target != nil {
		if err := r.buildTarget(ctx); err != nil {
			return err
		}
		defer r.plan.target.close()
	}
	if r.plan.sides.compares() {
		return r.measureSides(ctx)
	}
	if r.plan.sides != nil {
		return r.measureServed(ctx)
	}
	return r.measureAt(ctx, r.plan)
}

// measureServed starts the server, measures, and stops it.
func (r *Runner) measureServed(ctx context.Context) (err error) {
	ss, err := r.prepare(ctx)
	if err != nil {
		return err
	}
	defer ss.close()
	server, plan, err := ss.start(ctx, 0)
	if err != nil {
		return err
	}
	defer server.Stop() // endServer has said if it had ended before
	r.server = server
	return r.measureAt(ctx, plan)
}

// whileServed returns a context that ends when the server does that tare started: its port may be anybody's from then on.
func (r *Runner) whileServed(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if r.server == nil {
		return ctx, cancel
	}
	go func() {
		select {
		case <-r.server.Ended():
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// endServer keeps the output of the server that tare started, if it did. If nothing else is wrong, it returns the error of a
// server that has ended by itself.
func (r *Runner) endServer(err error) error {
	if r.server == nil {
		return err
	}
	r.keepOutput(result.AttachOutput, r.server.Output())
	if died := r.server.Died(); died != nil && (err == nil || errors.Is(err, context.Canceled)) {
		return exit.Failed(r.plan.clean(died), "what was measured before counts")
	}
	return err
}

// keepOutput adds what a server, or a target of a Go package, printed to the record.
func (r *Runner) keepOutput(name, text string) {
	if text = r.plan.Redact(text); text != "" && r.out.Begun() {
		r.out.Write(&record.Attach{Name: name, Media: result.MediaText, Data: []byte(text)}) // recorder.err has its error
	}
}

// measureAt measures a plan whose system runs.
func (r *Runner) measureAt(ctx context.Context, plan *Plan) (err error) {
	r.plan = plan
	r.plan.note = r.Status.note
	s, err := r.plan.open(ctx)
	if err != nil {
		return r.plan.openFailed(err)
	}
	defer func() {
		if e := s.close(); e != nil && err == nil && ctx.Err() == nil {
			err = exit.Failed(r.plan.clean(fmt.Errorf("closing %s: %w", s.caps.Name, e)), "")
		}
	}()
	if plan.Agents == nil { // marks are of this process and this machine
		if r.marks, err = plan.openMarks(r.server); err != nil {
			return err
		}
		defer r.marks.Close()
	}
	r.announce(s)
	if err := r.writeHead(s); err != nil {
		return err
	}
	if err := r.writeProgram(); err != nil {
		return err
	}
	overhead := session.StartOverhead()
	loadAverage, _ := env.Load()
	served, stop := r.whileServed(ctx)
	err = r.endServer(r.runPhases(served, s))
	stop()
	if t, ok := s.target.(*gotarget.Target); ok {
		r.keepOutput(result.AttachOutput+"-target", t.Output())
	}
	r.out.phase, r.out.step = "", ""
	line := overhead.Line()
	line.Load = loadAverage
	for _, e := range []error{r.out.Write(line), r.writeWarnings(s), r.writeUnanswered(), r.writeMoved(), r.writeEnd(ctx, err)} {
		if err == nil {
			err = e
		}
	}
	s.complete = err == nil
	return err
}

// runPhases inserts the records and measures the run, the steps of the sweep, or those
// of the search.
func (r *Runner) runPhases(ctx context.Context, s *system) error {
	if err := r.insert(ctx, s); err != nil {
		return err
	}
	if err := r.warmUpHarness(ctx, s); err != nil {
		return err
	}
	switch {
	case r.plan.Search != nil:
		return r.search(ctx, s)
	case len(r.plan.Rates) > 0:
		return r.sweep(ctx, s)
	}
	return r.step(ctx, s, r.plan.Run)
}

// writeEnd writes how the run ended.
func (r *Runner) writeEnd(ctx context.Context, err error) error {
	e := &record.End{State: record.EndCompleted}
	switch {
	case r.out.err != nil: // the file cannot take the line
		r.out.Add(&record.End{State: record.EndPartial, Why: r.out.err.Error()})
		return r.out.err
	case ctx.Err() != nil && r.Signals.Caught():
		e.State, e.Why = record.EndPartial, "interrupted by a signal"
	case err != nil:
		e.State, e.Why = record.EndPartial, termtext.OneLine(r.plan.Redact(err.Error()))
	}
	return r.out.Write(e)
}
