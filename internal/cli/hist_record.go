package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// recordReader reads the latencies of a record as intervals of a log: those of the
// measured phase of a load run, and those of the forks of benchmarks that count.
// Its start is that of the first of them.
//
// Whether a line counts may only be known from a later one, so lines wait: of a fork,
// until its own line has come; of a load run, until the line of their interval has
// told the phase.
type recordReader struct {
	name    string
	lines   *record.Reader
	run     *record.Run
	cases   map[int]*record.Case
	forks   map[int][]heldHist // of forks that have not ended
	waiting []heldHist         // of intervals whose phase is not known yet
	window  record.Load        // the last interval that is known
	ready   []heldHist

	start   time.Time
	skipped int
	first   error
	end     error
}

// heldHist is a line that waits.
type heldHist struct {
	*record.Hist
	line int    // its number
	name string // of the benchmark, which the line does not say
}

func newRecordReader(r io.Reader, name string) *recordReader {
	return &recordReader{name: name, lines: record.NewReader(r, name), cases: map[int]*record.Case{}, forks: map[int][]heldHist{}}
}

// StartTime returns when the first interval began.
func (r *recordReader) StartTime() time.Time { return r.start }

// Skipped returns how many lines could not be read.
func (r *recordReader) Skipped() (n int, first error) { return r.skipped, r.first }

// Next returns the next interval; the error is io.EOF at the end.
func (r *recordReader) Next() (hist.Interval, error) {
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
			r.trouble(err)
		}
	}
}

// trouble goes on after what one can go on after.
func (r *recordReader) trouble(err error) {
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

func (r *recordReader) skip(err error) {
	if r.skipped++; r.first == nil {
		r.first = err
	}
}

// add takes a line of the record.
func (r *recordReader) add(l record.Line) {
	switch l := l.(type) {
	case *record.Run:
		r.run = l
	case *record.Case:
		r.cases[l.ID] = l
	case *record.Fork:
		r.ended(l)
	case *record.Load:
		if !l.Final {
			r.window = *l
		}
		r.release()
	case *record.Hist:
		_, number := r.lines.Pos()
		h := heldHist{l, number, l.Name}
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

// within reports whether a line is of the last interval that is known.
func (r *recordReader) within(l *record.Hist) bool {
	w := &r.window
	return w.Phase != "" && l.Start >= w.Start && (l.Start < w.Start+w.Length || l.Start == w.Start)
}

// count takes a line whose interval is known.
func (r *recordReader) count(l heldHist) {
	if r.window.Phase == record.LoadRun || r.window.Phase == "" {
		r.ready = append(r.ready, l)
	}
}

// release takes the lines that have waited. Those whose interval was not told, as
// at the end of a record that was cut off, are of the phase before.
func (r *recordReader) release() {
	for _, l := range r.waiting {
		r.count(l)
	}
	r.waiting = nil
}

// ended takes the lines of a fork, if they count: as in a summary, those of measured
// iterations of a fork that was timed and ended well.
func (r *recordReader) ended(f *record.Fork) {
	lines := r.forks[f.ID]
	delete(r.forks, f.ID)
	c := r.cases[f.Case]
	if f.Purpose != record.PurposeTiming || f.State != record.StateOK || c == nil {
		return
	}
	warmup := 0
	if r.run != nil && !c.Shot {
		warmup = r.run.Config.Warmup
	}
	for _, l := range lines {
		if l.Iter > warmup {
			l.name = c.Name
			r.ready = append(r.ready, l)
		}
	}
}

// interval decodes a line.
func (r *recordReader) interval(l heldHist) (i hist.Interval, ok bool) {
	h, err := hist.Decode(l.Data)
	if err == nil && l.Unit != "" && l.Unit != "ns" {
		err = fmt.Errorf("its values are in %s, not in ns", l.Unit)
	}
	if err != nil {
		r.skip(&record.SyntaxError{Name: r.name, Line: l.line, Text: "histogram of " + histTag(l.name, l.Tag) + ": " + err.Error()})
		return i, false
	}
	i = hist.Interval{Tag: histTag(l.name, l.Role, l.Tag), Start: r.wall(l.Start), Length: time.Duration(l.Length), Histogram: h}
	if r.start.IsZero() {
		r.start = i.Start
	}
	return i, true
}

// wall turns a stamp of the run's clock into a time.
func (r *recordReader) wall(mono int64) time.Time {
	if r.run == nil {
		return time.Unix(0, mono).UTC()
	}
	return r.run.Start.Add(time.Duration(mono - r.run.Mono)).UTC()
}
