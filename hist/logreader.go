package hist

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"
)

// A LogReader reads the intervals of a log one by one, in memory that does not
// grow with the log. It reads logs of HdrHistogram's HistogramLogWriter and its
// ports in versions 1.0 to 1.3, with V2 compressed histograms of integers. It is for
// one goroutine.
//
// It differs from HistogramLogReader.java in three points. A damaged line does not
// end reading: it is skipped and counted. An interval beyond the range does not end
// reading, because concatenated logs are not in order. If a log of relative stamps
// has several lines StartTime and none BaseTime, each is valid for the intervals
// after it.
type LogReader struct {
	name    string
	lines   lineReader
	start   time.Time // StartTime, or the first interval's
	started bool
	base    time.Time // what stamps are relative to
	based   bool      // base is known ...
	guessed bool      // ... from the first stamp, without a line BaseTime
	keep    func(start time.Time) bool
	skipped int
	first   error // why the first line was skipped
	end     error // returned by all further calls
}

// NewLogReader returns a LogReader of r. The name goes into error messages; it
// is usually a file's.
func NewLogReader(r io.Reader, name string) *LogReader {
	if r == nil {
		panic("hist: NewLogReader: r is nil")
	}
	return &LogReader{name: name, lines: newLineReader(r), keep: func(time.Time) bool { return true }}
}

// Between restricts Next to intervals that start in a range of time since the log's
// StartTime, both ends included. math.MaxInt64 means no end.
func (r *LogReader) Between(from, to time.Duration) {
	r.keep = func(start time.Time) bool {
		d := start.Sub(r.start)
		return from <= d && d <= to
	}
}

// BetweenTimes restricts Next to intervals that start in a range of absolute time,
// both ends included.
func (r *LogReader) BetweenTimes(from, to time.Time) {
	r.keep = func(start time.Time) bool { return !start.Before(from) && !start.After(to) }
}

// Next returns the next interval, with a Histogram of its own. It returns io.EOF at
// the end of the log, or the error of the input; all later calls return the same
// error. Lines that are neither intervals nor comments are skipped; see Skipped.
func (r *LogReader) Next() (Interval, error) {
	for r.end == nil {
		line, err := r.lines.next()
		switch {
		case err == nil:
			i, ok, err := r.line(string(bytes.TrimSpace(line)))
			if ok {
				return i, nil
			}
			r.skip(err)
		case errors.Is(err, errLongLine):
			r.skip(err)
		case err == io.EOF:
			r.end = err
		default:
			r.end = fmt.Errorf("%s:%d: %w", r.name, r.lines.number, err)
		}
	}
	return Interval{}, r.end
}

// All returns an iterator over the intervals. It yields at most one error, as the
// last element, and never io.EOF.
func (r *LogReader) All() iter.Seq2[Interval, error] {
	return func(yield func(Interval, error) bool) {
		for {
			i, err := r.Next()
			if err == io.EOF || !yield(i, err) || err != nil {
				return
			}
		}
	}
}

// Skipped returns how many lines so far could not be read, and the error of the
// first, with its line number.
func (r *LogReader) Skipped() (n int, first error) { return r.skipped, r.first }

// StartTime returns the time of the last line StartTime so far, else the start of the
// first interval, else the zero time.
func (r *LogReader) StartTime() time.Time { return r.start }

// skip counts a line that cannot be read.
func (r *LogReader) skip(err error) {
	if err == nil {
		return
	}
	r.skipped++
	if r.first == nil {
		r.first = fmt.Errorf("%s:%d: %w", r.name, r.lines.number, err)
	}
}

// line reads one line; ok reports whether it was an interval in the range.
func (r *LogReader) line(s string) (i Interval, ok bool, err error) {
	switch {
	case s == "", strings.HasPrefix(s, legendLine):
	case strings.HasPrefix(s, startTimeLine):
		var t time.Time
		if t, err = headTime(s, startTimeLine); err == nil {
			r.start, r.started = t, true
			r.based = r.based && !r.guessed
		}
	case strings.HasPrefix(s, baseTimeLine):
		var t time.Time
		if t, err = headTime(s, baseTimeLine); err == nil {
			r.base, r.based, r.guessed = t, true, false
		}
	case s[0] == '#':
	default:
		return r.interval(s)
	}
	return Interval{}, false, err
}

// headTime reads the time of a line such as "#[BaseTime: 1.234 (seconds since
// epoch)]".
func headTime(s, head string) (time.Time, error) {
	word, _, _ := strings.Cut(strings.TrimSpace(s[len(head):]), " ")
	sec, nsec, err := parseStamp(strings.TrimRight(word, "],"))
	if err != nil {
		return time.Time{}, fmt.Errorf("%s %w", strings.TrimPrefix(head, "#["), err)
	}
	return time.Unix(sec, nsec).UTC(), nil
}

// interval reads "[Tag=t,]start,length,max,payload".
func (r *LogReader) interval(s string) (i Interval, ok bool, err error) {
	if rest, tagged := strings.CutPrefix(s, tagField); tagged {
		i.Tag, s, _ = strings.Cut(rest, ",")
	}
	fields := strings.Split(s, ",")
	if len(fields) != 4 {
		return i, false, fmt.Errorf("%d fields beside the tag, not 4: start, length, maximum, histogram", len(fields))
	}
	for n, f := range fields {
		fields[n] = strings.TrimSpace(f)
	}
	sec, nsec, err := parseStamp(fields[0])
	if err != nil {
		return i, false, fmt.Errorf("start %w", err)
	}
	i.Start = r.absolute(sec, nsec)
	if i.Length, err = length(fields[1]); err != nil {
		return i, false, err
	}
	if i.Max, err = strconv.ParseFloat(fields[2], 64); err != nil {
		return i, false, fmt.Errorf("maximum %q is not a number", fields[2])
	}
	if !r.keep(i.Start) {
		return i, false, nil
	}
	payload, err := base64.StdEncoding.DecodeString(fields[3])
	if err != nil {
		return i, false, fmt.Errorf("histogram: %w", err)
	}
	i.Histogram, err = Decode(payload)
	return i, err == nil, err
}

// absolute turns a stamp into a time. The first stamp decides what the head of the
// log does not say.
func (r *LogReader) absolute(sec, nsec int64) time.Time {
	t := time.Unix(sec, nsec).UTC()
	if !r.started {
		r.start, r.started = t, true
	}
	if !r.based {
		// A stamp of more than a year before the start is relative to the start
		// (HistogramLogReader.java).
		r.base = time.Unix(0, 0).UTC()
		if t.Before(r.start.Add(-365 * 24 * time.Hour)) {
			r.base = r.start
		}
		r.based, r.guessed = true, true
	}
	return time.Unix(r.base.Unix()+sec, int64(r.base.Nanosecond())+nsec).UTC()
}

func length(s string) (time.Duration, error) {
	sec, nsec, err := parseStamp(s)
	if err != nil {
		return 0, fmt.Errorf("length %w", err)
	}
	if sec < 0 || nsec < 0 || sec >= math.MaxInt64/int64(time.Second) {
		return 0, fmt.Errorf("length of %s seconds", s)
	}
	return time.Duration(sec)*time.Second + time.Duration(nsec), nil
}
