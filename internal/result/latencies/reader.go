package latencies

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/record"
)

// Reader reads the latencies of a record as intervals of a histogram log: those
// of the measured phase of a load run, and those of the forks that count.
//
// A later line may say whether a histogram counts. So histograms wait: those of a fork
// for the fork's line, those of a load run for the line of their interval, which names
// the phase.
type Reader struct {
	name    string
	lines   *record.Reader
	run     *record.Run
	cases   map[int]*record.Case
	forks   map[int][]waitingHist // of forks that have not ended
	waiting []waitingHist         // of intervals whose phase is not known yet
	window  record.Load           // the last interval that is known
	ready   []waitingHist

	start   time.Time
	skipped int
	first   error
	end     error
}

// waitingHist is a histogram that waits.
type waitingHist struct {
	*record.Hist
	line int    // its number
	name string // of the operation, or of the benchmark, which the line does not name
}

// NewReader returns a Reader of r. The name is for error messages; it is
// usually a file's.
func NewReader(r io.Reader, name string) *Reader {
	return &Reader{name: name, lines: record.NewReader(r, name), cases: map[int]*record.Case{}, forks: map[int][]waitingHist{}}
}

// StartTime returns when the first interval began. It is the zero time before that.
func (r *Reader) StartTime() time.Time { return r.start }

// Skipped returns how many lines could not be read, and the error of the first.
func (r *Reader) Skipped() (n int, first error) { return r.skipped, r.first }

// Next returns the next interval; the error is io.EOF at the end.
func (r *Reader) Next() (hist.Interval, error) {
	for {
		for len(r.ready) > 0 {
			l := r.ready[0]
			r.ready = r.ready[1:]
			if i, ok := r.interval(l); ok {
				return i, nil
			}
		}
		if r.end != nil {
			return hist.Interval{}, r.end
		}
		l, err := r.lines.Next()
		switch {
		case err == nil:
			r.add(l)
		case err == io.EOF:
			r.release()
			r.end = err
		default:
			r.fail(err)
		}
	}
}

// fail skips a damaged line. Any other error ends the reading.
func (r *Reader) fail(err error) {
	syntax, cut := (*record.SyntaxError)(nil), (*record.TruncatedError)(nil)
	switch {
	case errors.As(err, &syntax):
		r.skip(err)
	case errors.As(err, &cut) && cut.Line > 1:
		r.skip(err)
		r.release()
		r.end = io.EOF
	default:
		r.end = err
	}
}

func (r *Reader) skip(err error) {
	if r.skipped++; r.first == nil {
		r.first = err
	}
}

// add takes a line of the record.
func (r *Reader) add(l record.Line) {
	switch l := redact.Line(l).(type) {
	case *record.Run:
		if r.run != nil { // its times and numbers are others
			name, line := r.lines.Pos()
			r.end = &record.SecondRunError{Name: name, Line: line}
			return
		}
		r.run = l
	case *record.Case:
		r.cases[l.ID] = l
	case *record.Fork:
		r.endFork(l)
	case *record.Load:
		if !l.Final {
			r.window = *l
		}
		r.release()
	case *record.Hist:
		_, number := r.lines.Pos()
		h := waitingHist{l, number, l.Name}
		switch {
		case l.Fork != 0:
			r.forks[l.Fork] = append(r.forks[l.Fork], h)
		case r.within(l):
			r.count(h)
		default:
			r.waiting = append(r.waiting, h)
		}
	}
}

// within reports whether a histogram belongs to the last interval that is known.
func (r *Reader) within(l *record.Hist) bool {
	w := &r.window
	return w.Phase != "" && l.Start >= w.Start && (l.Start < w.Start+w.Length || l.Start == w.Start)
}

// count keeps a histogram of the measured phase, now that its interval is known.
func (r *Reader) count(l waitingHist) {
	if r.window.Phase == record.LoadRun || r.window.Phase == "" {
		if w := r.window.Window; w != nil { // the sides are no one distribution
			l.name = w.Side + "/" + l.name
		}
		r.ready = append(r.ready, l)
	}
}

// release counts the histograms that have waited. At the end of a record that was cut
// off the line of their interval is missing: they belong to the phase before.
func (r *Reader) release() {
	for _, l := range r.waiting {
		r.count(l)
	}
	r.waiting = nil
}

// endFork releases the histograms of a fork that count: those of measured iterations of
// a fork that was timed and ended well.
func (r *Reader) endFork(f *record.Fork) {
	lines := r.forks[f.ID]
	delete(r.forks, f.ID)
	c := r.cases[f.Case]
	if f.Purpose != record.PurposeTiming || f.State != record.StateOK || c == nil {
		return
	}
	warmup := 0
	if r.run != nil && !c.SingleShot {
		warmup = r.run.Config.Warmup
	}
	for _, l := range lines {
		if l.Iter > warmup {
			l.name = c.Name
			r.ready = append(r.ready, l)
		}
	}
}

// interval decodes a histogram; ok is false if it is damaged.
func (r *Reader) interval(l waitingHist) (i hist.Interval, ok bool) {
	h, err := hist.Decode(l.Data)
	if err == nil && l.Unit != "" && l.Unit != "ns" {
		err = fmt.Errorf("its values are in %s, not in ns", l.Unit)
	}
	if err != nil {
		r.skip(&record.SyntaxError{Name: r.name, Line: l.line, Text: "histogram of " + JoinTag(l.name, l.Tag) + ": " + err.Error()})
		return i, false
	}
	i = hist.Interval{Tag: JoinTag(l.name, l.Role, l.Tag), Start: r.wall(l.Start), Length: time.Duration(l.Length), Histogram: h}
	if r.start.IsZero() {
		r.start = i.Start
	}
	return i, true
}

// wall converts a time of the run's monotonic clock.
func (r *Reader) wall(mono int64) time.Time {
	if r.run == nil {
		return time.Unix(0, mono).UTC()
	}
	return r.run.Start.Add(time.Duration(mono - r.run.Mono)).UTC()
}
