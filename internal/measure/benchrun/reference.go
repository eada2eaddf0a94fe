package benchrun

import (
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/process/reference"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// loopsEvery is the least time between two passes over the reference loops. A
// pass takes 20 to 40 ms, and a round of one short benchmark not much longer.
const loopsEvery = 500 * time.Millisecond

// loops are the reference loops of a run: they say what else was busy.
type loops struct {
	*Calibrated
	process *reference.Process // nil once it has failed
	last    time.Time          // end of the last pass
	used    time.Duration      // CPU time
}

// A starter starts the process of the loops.
type starter func() (*reference.Process, error)

func (f *Found) startReference() (*reference.Process, error) {
	return reference.Start(f.Signals.Context(), f.forks.Launcher, spawn.Config{})
}

// startLoops starts the process of the loops. Without it the run goes on, and the
// record says so.
func (c *Calibrated) startLoops() *loops {
	l := &loops{Calibrated: c}
	c.loops = l
	if c.reference == nil {
		return l
	}
	p, err := c.reference()
	if err != nil {
		l.failed(err)
		return l
	}
	l.process = p
	return l
}

// measure runs the loops before a round.
func (l *loops) measure(round int) {
	if l.process == nil || time.Since(l.last) < loopsEvery {
		return
	}
	results, err := l.process.Measure()
	if err != nil {
		l.close()
		l.failed(err)
		return
	}
	l.last = time.Now()
	l.used = l.process.CPU
	l.Recorder.Write(&record.Reference{Round: round, T: clock.Now(), Loops: results}) // Recorder keeps the error
}

func (l *loops) failed(err error) {
	l.Recorder.Write(diagnosis.WarnForm(diagnosis.NotAvailable, "reference", diagnosis.Facts{"why": err}))
}

// cpu returns the CPU time of the loops.
func (l *loops) cpu() time.Duration {
	if l == nil {
		return 0
	}
	return l.used
}

func (l *loops) close() {
	if l.process != nil {
		l.process.Close()
		l.process = nil
	}
}
