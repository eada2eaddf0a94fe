package cli

import (
	"io"
	"time"

	"github.com/tarebench/tare/internal/build"
	"github.com/tarebench/tare/internal/plan"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
)

// benchSession is a run of a verb that watches a program.
type benchSession struct {
	streams
	flags    *benchFlags
	format   render.Format
	progress *session.Progress
	signals  *session.Signals
	command  []string
	start    time.Time
	run      record.Run
	secrets  session.Redactor
	bins     []*binary
	sink     *session.Recorder
	exporter *session.Exporter
	machine  *session.MachineLock
	show     func(io.Writer, render.Format, *result.Result) error // prints the result
}

// binary is a program that is watched.
type binary struct {
	record.Bin
	built build.Binary
}

func newSession(st streams, f *benchFlags) *benchSession {
	return &benchSession{streams: st, flags: f, start: time.Now()}
}

// export writes the result to standard output and to the files of -o.
func (s *benchSession) export(sum *result.Result) error {
	return s.exporter.Write(s.out, string(s.format), s.sink.Path(), func(w io.Writer, format string) error {
		return s.show(w, render.Format(format), sum)
	})
}

func (s *benchSession) openOutput() (err error) {
	if s.exporter, err = s.flags.show.exporter(); err != nil {
		return err
	}
	s.sink, err = session.OpenRecorder(s.exporter.Records, s.run.Seed, s.start)
	return err
}

// tidy releases the machine and removes an empty record.
func (s *benchSession) tidy() {
	s.machine.Unlock()
	s.sink.Discard()
}

func (s *benchSession) write(l record.Line) error { return s.sink.Write(l) }

// header returns the first line of the record.
func (s *benchSession) header() *record.Run {
	r := session.NewRun(s.start, s.bins[0].built.Go)
	r.Kind, r.Command, r.Dir, r.Seed, r.Config = s.run.Kind, s.command, s.run.Dir, s.run.Seed, s.run.Config
	r.Config.Setenv = session.MaskPairs(r.Config.Setenv)
	return &r
}

// interrupted returns [plan.ErrInterrupted] in the place of an error that a
// signal has caused.
func (s *benchSession) interrupted(err error) error {
	if s.signals.Caught() {
		return plan.ErrInterrupted
	}
	return err
}
