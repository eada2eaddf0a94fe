package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// loadSink takes the lines of a load run: to the record file, to the interval log,
// and to the summary.
type loadSink struct {
	*session.Recorder
	log      *hlog
	exporter *session.Exporter
	phase    string // at hand: only the run itself is in the log
	about    string // of doubts: which step of a search or a sweep they come from
	failed   error  // the first output that could not be written
	stop     func() // ends the phase at hand
}

// Formats of -o that only load runs have.
const (
	logFormat = "hlog"
	drawing   = "svg"
)

// hlog is an interval log that is being written.
type hlog struct {
	path    string // as it was named
	file    *os.File
	final   string // where the file goes when the run is complete; "" if it stays
	w       *hist.LogWriter
	run     *record.Run
	asYCSB  bool // tags are those of YCSB's own log
	written bool
}

// openLoadSink prepares the outputs of -o. draws tells that the verb has a curve over rates.
func openLoadSink(f *loadFlags, seed record.Seed, now time.Time, draws bool) (*loadSink, error) {
	known := maps.Clone(forms)
	known[".hlog"] = logFormat
	if draws {
		known[".svg"] = drawing
	}
	if i := slices.IndexFunc(f.outputs, func(out string) bool { return strings.EqualFold(filepath.Ext(out), ".svg") }); i >= 0 && !draws {
		return nil, usageError(fmt.Errorf("-o %s: a single run has no curve over its rates", f.outputs[i]), "tare load sweep draws one; tare hist plot draws the latencies of a run.hlog")
	}
	s := &loadSink{}
	var err error
	if s.exporter, err = session.NewExporter(f.outputs, known); err != nil {
		return nil, err
	}
	logs := s.exporter.Take(logFormat)
	if again := s.exporter.Path(logFormat); again != "" {
		return nil, usageError(fmt.Errorf("-o %s: there is another .hlog", again), "")
	}
	if s.Recorder, err = session.OpenRecorder(s.exporter.Records, seed, now); err != nil {
		return nil, err
	}
	if logs != "" {
		s.log, err = openLog(logs, f.format == string(render.YCSB) || f.format == string(render.YCSBJSON))
	}
	return s, err
}

func openLog(out string, asYCSB bool) (l *hlog, err error) {
	l = &hlog{path: out, asYCSB: asYCSB}
	l.file, l.final, err = session.CreateBeside(out)
	return l, err
}

// write is the sink of the engine. The summary gets every line, also one that could
// not be written: what was measured is shown nevertheless.
func (s *loadSink) Write(l record.Line) error {
	if w, ok := l.(*record.Warn); ok && w.Code != result.CodeFirst {
		if l = s.named(w); l == nil {
			return nil
		}
	}
	if s.failed != nil {
		s.Add(l)
		return nil
	}
	if err := s.Recorder.Write(l); err != nil {
		s.Add(l)
		f := (*exit.Error)(nil)
		if errors.As(err, &f) {
			err = f.Err
		}
		return s.fail(fmt.Errorf("the run was ended: %w", err))
	}
	if h, ok := l.(*record.Hist); ok && s.log != nil && s.phase == record.LoadRun {
		if err := s.log.write(h); err != nil {
			return s.fail(fmt.Errorf("the run was ended: -o %s: %w", s.log.path, err))
		}
	}
	return nil
}

// fail remembers that an output cannot be written any more, and has the engine end
// the phase. It is no error to the engine, which then would not tell the rest.
func (s *loadSink) fail(err error) error {
	s.failed = failed(err, "what was measured before is in the file; make room and measure again")
	if s.stop != nil {
		s.stop()
	}
	return nil
}

// named says in a doubt which phase and step it comes from. It returns nothing for
// one about latencies that are in no figure.
func (s *loadSink) named(w *record.Warn) record.Line {
	named := *w
	switch s.phase {
	case record.LoadInsert, record.LoadWarmup:
		if w.Code == load.DoubtGeneratorLate {
			return nil
		}
		named.Text = s.phase + ": " + w.Text
	}
	named.Text = s.about + named.Text
	return &named
}

// begin takes down which run the log is of.
func (l *hlog) begin(run *record.Run) { l.run = run }

// head writes the head of the log. Its start is that of the first interval, so that
// readers count their seconds from where the run begins, not from the warm-up.
func (l *hlog) head(start time.Time) error {
	l.w = hist.NewLogWriter(l.file, hist.LogConfig{Start: start, Comment: "written by tare " + l.run.Tare + ": " + strings.Join(l.run.Command, " ")})
	return l.w.Begin()
}

func (l *hlog) write(h *record.Hist) error {
	tag, ok := logTag(h.Name, h.Tag, l.asYCSB)
	if !ok {
		return nil
	}
	decoded, err := hist.Decode(h.Data)
	if err != nil {
		return err
	}
	start := l.run.Start.Add(time.Duration(h.Start - l.run.Mono))
	if !l.written {
		if err := l.head(start); err != nil {
			return err
		}
	}
	l.written = true
	return l.w.Write(hist.Interval{Tag: tag, Start: start, Length: time.Duration(h.Length), Histogram: decoded})
}

// logTag is the tag of an operation's latencies: READ.response, or for YCSB's
// readers READ for service and Intended-READ for response times.
func logTag(name, kind string, asYCSB bool) (string, bool) {
	clean := strings.Map(func(r rune) rune {
		if r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r' {
			return '_'
		}
		return r
	}, name)
	if !asYCSB {
		return clean + "." + kind, true
	}
	switch kind {
	case record.TagService:
		return clean, true
	case record.TagResponse:
		return "Intended-" + clean, true
	case record.TagFailed:
		return clean + "-FAILED", true
	}
	return "", false
}

func (l *hlog) close(complete bool) error {
	if l == nil {
		return nil
	}
	var err error
	if !l.written && l.run != nil {
		err = l.head(l.run.Start) // a log of nothing is one, too
	}
	if err = errors.Join(err, l.file.Close()); err != nil {
		return failed(fmt.Errorf("-o %s: %w", l.path, err), "")
	}
	if complete && l.final != "" {
		if err := os.Rename(l.file.Name(), l.final); err != nil {
			return failed(err, "the log is in "+l.file.Name())
		}
	}
	return nil
}

// discard takes away what nothing came of.
func (s *loadSink) Discard() {
	if s == nil {
		return
	}
	s.Recorder.Discard()
	if s.log != nil && !s.Begun() {
		s.log.file.Close()
		os.Remove(s.log.file.Name())
	}
}

// closeAll ends the record and the log. Complete ones take the names asked for.
func (s *loadSink) closeAll(complete bool) error {
	return errors.Join(s.Recorder.Close(complete), s.log.close(complete))
}

// export writes the files that get the result.
func (s *loadSink) export(f *showFlags, sum *result.Result) error {
	return s.exporter.Export(s.Path(), func(w io.Writer, format string) error {
		b := bufio.NewWriter(w)
		if format == drawing {
			if err := drawSweep(b, sum); err != nil {
				return err
			}
			return b.Flush()
		}
		if err := render.Write(b, render.Format(format), sum, f.options(w)); err != nil {
			return err
		}
		return b.Flush()
	})
}
