package hist

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// LogConfig is the head and the units of a log. The zero value is a log without a
// start time, with absolute stamps.
type LogConfig struct {
	// Start is when the run began. Readers count from it when they select seconds 2
	// to 5. Zero: readers use the first interval's Start.
	Start time.Time

	// Base, unless zero, is subtracted from all stamps and written once, as the line
	// BaseTime; with Base = Start the stamps are seconds of the run. Some readers do
	// not support it.
	Base time.Time

	// MaxUnit is the divisor of the column Interval_Max: how many units of the values
	// make one of the column. Greater than 0; default 1e6, for values in nanoseconds
	// and a column in milliseconds.
	MaxUnit float64

	// Comment is written at the top, one comment line for each non-empty line.
	Comment string
}

// Validate returns an error that lists everything wrong with the configuration.
func (c LogConfig) Validate() error {
	if c.MaxUnit != 0 && !(c.MaxUnit > 0 && c.MaxUnit <= 1e300) {
		return fmt.Errorf("hist: log: unit of the maximum %v is not positive", c.MaxUnit)
	}
	return nil
}

// A LogWriter writes histograms as an interval log, version 1.3 of HdrHistogram's
// format (HistogramLogWriter.java), which its HistogramLogProcessor and many
// viewers read. Times are exact to the millisecond, Base and Start included. It
// is for one goroutine.
type LogWriter struct {
	out    io.Writer
	config LogConfig
	line   []byte
	begun  bool
	err    error // returned from now on
}

// NewLogWriter returns a LogWriter that writes to w without a buffer: each line is
// one call of w.Write, so that a crash loses no complete line. It panics if the
// configuration is not valid; call [LogConfig.Validate] first if it comes from a
// user.
func NewLogWriter(w io.Writer, c LogConfig) *LogWriter {
	if w == nil {
		panic("hist: NewLogWriter: w is nil")
	}
	if err := c.Validate(); err != nil {
		panic(err)
	}
	if c.MaxUnit == 0 {
		c.MaxUnit = 1e6
	}
	return &LogWriter{out: w, config: c}
}

// Write writes an interval; the first call writes the head of the log before. The
// starts of intervals should ascend. Write returns an error, and writes nothing, for
// an invalid interval. After an error of the underlying writer all calls return that
// error.
func (w *LogWriter) Write(i Interval) error {
	if err := i.check(); err != nil {
		return fmt.Errorf("hist: log: interval at %s: %w", i.Start.Format(time.RFC3339Nano), err)
	}
	payload, err := i.Histogram.Encode()
	if err != nil {
		return err
	}
	if err := w.Begin(); err != nil {
		return err
	}
	// Both ends are rounded, not the length, so that adjacent intervals neither
	// overlap nor leave a gap.
	start, end := milli(i.Start), milli(i.Start.Add(i.Length))
	b := w.line[:0]
	if i.Tag != "" {
		b = append(b, tagField+i.Tag+","...)
	}
	b = append(b, stamp(start-w.base())+","+stamp(end-start)+","...)
	b = fmt.Appendf(b, "%.3f,", float64(i.Histogram.Max())/w.config.MaxUnit)
	b = base64.StdEncoding.AppendEncode(b, payload)
	w.line = append(b, '\n')
	return w.put(w.line)
}

func (i *Interval) check() error {
	switch {
	case i.Histogram == nil:
		return errors.New("no histogram")
	case !validTag(i.Tag):
		return fmt.Errorf("tag %q has a blank, a comma or a line break in it", i.Tag)
	case i.Length < 0:
		return fmt.Errorf("negative length %v", i.Length)
	}
	return nil
}

// Begin writes the head of the log unless it has been written: the comment, the
// format's version, the times, and the column names. A log without intervals has only
// the head.
func (w *LogWriter) Begin() error {
	if w.begun || w.err != nil {
		return w.err
	}
	w.begun = true
	b := comment(w.line[:0], w.config.Comment)
	b = append(b, "#[Histogram log format version "+logVersion+"]\n"...)
	if t := w.config.Start; !t.IsZero() {
		ms := milli(t)
		b = append(b, startTimeLine+" "+stamp(ms)+" (seconds since epoch), "...)
		b = time.UnixMilli(ms).UTC().AppendFormat(b, "Mon Jan 02 15:04:05 MST 2006")
		b = append(b, "]\n"...)
	}
	if t := w.config.Base; !t.IsZero() {
		b = append(b, baseTimeLine+" "+stamp(milli(t))+" (seconds since epoch)]\n"...)
	}
	w.line = append(b, legend+"\n"...)
	return w.put(w.line)
}

// Comment writes a comment line for each non-empty line of the text.
func (w *LogWriter) Comment(text string) error {
	if err := w.Begin(); err != nil || text == "" {
		return err
	}
	w.line = comment(w.line[:0], text)
	return w.put(w.line)
}

// comment appends comment lines. The blank after # prevents that a text is read as a
// line such as StartTime.
func comment(b []byte, text string) []byte {
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(lineBreaks, r) }) {
		b = append(b, "# "+line+"\n"...)
	}
	return b
}

// put writes lines, after the head.
func (w *LogWriter) put(b []byte) error {
	if _, err := w.out.Write(b); err != nil {
		w.err = fmt.Errorf("hist: log: %w", err)
	}
	return w.err
}

// base returns what is subtracted from stamps, in milliseconds.
func (w *LogWriter) base() int64 {
	if w.config.Base.IsZero() {
		return 0
	}
	return milli(w.config.Base)
}

// milli rounds to milliseconds since the epoch.
func milli(t time.Time) int64 { return t.Add(500 * time.Microsecond).UnixMilli() }
