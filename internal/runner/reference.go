package runner

import (
	"fmt"
	"time"

	"github.com/tarebench/tare/internal/clock"
	"github.com/tarebench/tare/internal/reference"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// loopsEvery is the least time between two passes over the reference loops. A
// pass takes 20 to 40 ms, and a round of one short benchmark not much longer.
const loopsEvery = 500 * time.Millisecond

// loops are the reference loops of a run: they say what else was busy.
type loops struct {
	*Calibrated
	process *reference.Process   // nil once it has failed
	last    time.Time            // end of the last pass
	used    time.Duration        // CPU time
	passes  map[string][]float64 // ns per step of each pass, the quickest repeat, by loop
}

// A starter starts the process of the loops.
type starter func() (*reference.Process, error)

func (f *Found) startReference() (*reference.Process, error) {
	return reference.Start(f.Signals.Context(), f.forks.Launcher, spawn.Config{})
}

// startLoops starts the process of the loops. Without it the run goes on, and the
// record says so.
func (c *Calibrated) startLoops() *loops {
	l := &loops{Calibrated: c, passes: map[string][]float64{}}
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
	for _, x := range results {
		l.passes[x.Name] = append(l.passes[x.Name], x.Min)
	}
	l.Recorder.Write(&record.Reference{Round: round, T: clock.Now(), Loops: results}) // Recorder keeps the error
}

func (l *loops) failed(err error) {
	l.Recorder.Write(&record.Warn{
		About: record.AboutRun, Code: "not-available", Text: fmt.Sprintf("not available: %v", err),
		Advice: "other runs on this machine cannot be compared by what else was busy",
	})
}

// cpu returns the CPU time of the loops.
func (l *loops) cpu() time.Duration {
	if l == nil {
		return 0
	}
	return l.used
}

// median returns what a step of a loop took in the middle of the passes, in ns; 0 if it is not known.
func (l *loops) median(name string) float64 { return l.quantile(name, 0.5) }

// quick returns what a step took in the quicker quarter of the passes: a processor's speed, without what others
// took from it.
func (l *loops) quick(name string) float64 { return l.quantile(name, 0.25) }

func (l *loops) quantile(name string, q float64) float64 {
	if l == nil || len(l.passes[name]) == 0 {
		return 0
	}
	return stat.Quantile(l.passes[name], q)
}

func (l *loops) close() {
	if l.process != nil {
		l.process.Close()
		l.process = nil
	}
}
