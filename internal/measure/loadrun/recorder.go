package loadrun

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/measure/loadrun/marks"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/record"
)

// recorder takes the lines of the engine. They go to the record file, to the interval
// log and to the result.
type recorder struct {
	*session.Recorder
	log    *Log
	ycsb   *YCSBFiles
	run    *record.Run        // the head of the record
	phase  string             // the current one; only the run itself is in the log
	step   string             // that warnings begin with, of a search or a sweep
	err    error              // of the first output that could not be written
	cancel context.CancelFunc // ends the current phase
	marks  *marks.Reader      // what is read at the end of each interval; nil: nothing
	redact func(string) string
}

// Write takes a line, and after that of an interval writes its marks.
func (r *recorder) Write(l record.Line) error {
	err := r.write(l)
	if i, ok := l.(*record.Load); ok && err == nil && r.marks != nil && !i.Final {
		err = r.write(markLine(r.marks, i))
	}
	return err
}

// write takes a line. After an output could not be written, lines still go to the result,
// so that everything that was measured is shown.
func (r *recorder) write(l record.Line) error {
	if w, ok := l.(*record.Warn); ok && w.Code != diagnosis.FirstError {
		if w = r.nameStep(w); w == nil {
			return nil
		}
		l = w
	}
	if x, ok := l.(*record.Load); ok {
		l = r.redacted(x)
	}
	l = redact.Line(l) // for the log, too, whose tags are names
	if r.err != nil {
		r.Add(l)
		return nil
	}
	if err := r.Recorder.Write(l); err != nil {
		r.Add(l)
		if e := exit.As(err); e != nil {
			err = e.Err
		}
		r.fail(fmt.Errorf("the run was ended: %w", err))
		return nil
	}
	if h, ok := l.(*record.Hist); ok && r.log != nil && r.phase == record.LoadRun {
		if err := r.log.write(h); err != nil {
			r.fail(fmt.Errorf("the run was ended: -o %s: %w", r.log.path, err))
		}
	}
	if h, ok := l.(*record.Hist); ok && r.phase == record.LoadRun {
		if err := r.ycsb.write(h, r.run); err != nil {
			r.fail(fmt.Errorf("the run was ended: hdrhistogram.fileoutput: %w", err))
		}
	}
	return nil
}

// redacted returns the line with the secrets of properties hidden in its first errors and in what operations were about.
func (r *recorder) redacted(l *record.Load) *record.Load {
	if !l.Final || len(l.Failures)+len(l.Slowest) == 0 {
		return l
	}
	out := *l
	out.Failures, out.Slowest = slices.Clone(l.Failures), slices.Clone(l.Slowest)
	for i := range out.Slowest {
		out.Slowest[i].Key = r.redact(out.Slowest[i].Key)
	}
	for i := range out.Failures {
		out.Failures[i].First = r.redact(out.Failures[i].First)
	}
	return &out
}

// fail ends the current phase because an output cannot be written. The engine does not
// see the error: it would not report the rest of the phase.
func (r *recorder) fail(err error) {
	r.err = exit.Failed(err, "what was measured before is in the file; make room and measure again")
	if r.cancel != nil {
		r.cancel()
	}
}

// nameStep adds the phase and the step to the text of a warning. It returns nil for a
// warning about latencies that are excluded from the results.
func (r *recorder) nameStep(w *record.Warn) *record.Warn {
	switch r.phase {
	case record.LoadInsert, record.LoadWarmup:
		if w.Code == diagnosis.GeneratorLate || w.Code == diagnosis.Unanswered {
			return nil
		}
		w = diagnosis.Prefix(new(*w), r.phase)
	}
	if r.step != "" {
		w = diagnosis.Prefix(new(*w), r.step)
	}
	return w
}

// moved returns the error of a record or a log that another program changed while it was
// written; nil if none did.
func (r *recorder) moved() error {
	return errors.Join(r.Recorder.Moved(), r.log.moved())
}

// close ends the record and the log. Complete files take the names that were asked for.
func (r *recorder) close(complete bool) error {
	return errors.Join(r.Recorder.Close(complete), r.log.close(complete), r.ycsb.close(complete))
}
