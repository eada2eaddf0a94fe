package loadrun

import (
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// A stallWriter writes the stalls of a phase that the database tells of, each when it is over.
type stallWriter struct {
	of    kv.Staller
	by    string
	write func(record.Line) error
	until int64 // stalls that ended before were written, CLOCK_MONOTONIC ns
}

// stallWriter returns nil if the database tells of none.
func (r *Runner) stallWriter(s *system) *stallWriter {
	of, ok := s.db.(kv.Staller)
	if !ok {
		return nil
	}
	return &stallWriter{of: of, by: r.plan.Binding.Name, write: r.out.Write}
}

// interval writes those that ended in an interval, and those that last at the end of the phase. The engine calls it.
func (w *stallWriter) interval(i *load.Interval) {
	if w == nil {
		return
	}
	now := i.Start + i.Length
	if w.until == 0 {
		w.until = i.Start
	}
	now = max(now, w.until)
	for _, stall := range w.of.Stalls(w.until, now) {
		if i.Final || stall.Start+stall.Length <= now {
			w.write(&record.Stall{By: w.by, Start: stall.Start, Length: stall.Length}) // recorder.err has its error
		}
	}
	w.until = now
}
