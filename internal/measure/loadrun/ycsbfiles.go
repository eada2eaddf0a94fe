package loadrun

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/measurement"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/record"
)

// YCSBFiles are the files that properties of YCSB's measurements ask for: an interval log for each series, and each latency.
// A nil *YCSBFiles writes nothing.
type YCSBFiles struct {
	config  measurement.Config
	latency string // as of --latency
	closed  bool   // loop: there are no response times
	logs    map[string]*seriesLog
	raw     *rawLatencies // nil: not asked for
}

// A seriesLog is the interval log of one series, in microseconds.
type seriesLog struct {
	file *session.OutputFile
	w    *hist.LogWriter
}

// openYCSBFiles opens the files of a plan's measurements. It returns nil if there are none.
func openYCSBFiles(p *Plan) (*YCSBFiles, error) {
	c := p.measurement
	f := &YCSBFiles{config: c, latency: p.Job.Latency, closed: p.closedLoop(), logs: map[string]*seriesLog{}}
	if f.logging() {
		if _, err := os.Stat(filepath.Dir(c.LogPath + "x")); err != nil {
			return nil, exit.Usage(fmt.Errorf("property hdrhistogram.output.path=%s: %w", c.LogPath, err), "it begins the names of files, and its directory must exist")
		}
	}
	if c.Has(measurement.Raw) && (c.RawFile != "" || p.YCSBText) {
		var err error
		if f.raw, err = newRawLatencies(c.RawFile); err != nil {
			return nil, err
		}
	}
	if f.raw == nil && !f.logging() {
		return nil, nil
	}
	return f, nil
}

func (f *YCSBFiles) logging() bool {
	return f.config.LogFiles && f.config.Has(measurement.HdrHistogram)
}

// series returns the name of YCSB's series of an operation's latencies; "" if there is none, or it is not asked for.
func (f *YCSBFiles) series(name, tag string) string {
	intended := f.latency == result.LatencyIntended && !f.closed
	switch {
	case tag == record.TagUnanswered,
		tag == record.TagService && intended,
		tag == record.TagResponse && (f.closed || f.latency == result.LatencyOp):
		return ""
	}
	return latencies.YCSBSeries(name, tag, intended && f.config.Interval == measurement.Intended)
}

// prefix returns what is before the names of series of a type.
func (f *YCSBFiles) prefix(t measurement.Type) string {
	for _, form := range f.config.Forms() {
		if form.Type == t {
			return form.Prefix
		}
	}
	return ""
}

// write adds an interval to the log of its series.
func (f *YCSBFiles) write(h *record.Hist, run *record.Run) error {
	if f == nil || !f.logging() || run == nil {
		return nil
	}
	name := f.series(h.Name, h.Tag)
	if name == "" {
		return nil
	}
	ns, err := hist.Decode(h.Data)
	if err != nil {
		return err
	}
	start := run.Start.Add(time.Duration(h.Start - run.Mono))
	l, err := f.log(f.prefix(measurement.HdrHistogram)+name, start)
	if err != nil {
		return err
	}
	return l.w.Write(hist.Interval{Start: start, Length: time.Duration(h.Length), Histogram: result.InMicros(ns)})
}

// log returns the log of a series, whose first interval begins at start.
func (f *YCSBFiles) log(series string, start time.Time) (*seriesLog, error) {
	if l := f.logs[series]; l != nil {
		return l, nil
	}
	file, err := session.CreateBeside(f.config.LogPath + fileName(series) + ".hdr")
	if err != nil {
		return nil, err
	}
	l := &seriesLog{file: file, w: hist.NewLogWriter(file, hist.LogConfig{Start: start, Base: start, Comment: "[Logging for: " + series + "]"})}
	f.logs[series] = l
	file.Head = true
	defer func() { file.Head = false }()
	return l, l.w.Begin()
}

// fileName replaces what would make a name lead to another directory.
func fileName(series string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ':' || r < ' ' {
			return '_'
		}
		return r
	}, series)
}

// close completes the logs and writes each latency to its file. What was measured is kept if a run was cut off.
func (f *YCSBFiles) close(complete bool) error {
	if f == nil {
		return nil
	}
	var errs []error
	for _, l := range f.logs {
		errs = append(errs, l.file.Close(complete))
	}
	if f.raw != nil {
		errs = append(errs, f.raw.finish())
	}
	return errors.Join(errs...)
}

// paths returns the names of the logs, as they are now.
func (f *YCSBFiles) paths() []string {
	if f == nil {
		return nil
	}
	var out []string
	for _, l := range f.logs {
		out = append(out, l.file.Path())
	}
	return out
}

// WriteRaw writes each latency to stdout, as YCSB does where no file is named for them.
func (f *YCSBFiles) WriteRaw(w io.Writer) error {
	if f == nil || f.raw == nil || f.config.RawFile != "" {
		return nil
	}
	b := bufio.NewWriter(w)
	if err := f.raw.writeTo(b); err != nil {
		return err
	}
	return b.Flush()
}

// remove removes temporary files.
func (f *YCSBFiles) remove() {
	if f != nil && f.raw != nil {
		f.raw.remove()
	}
}
