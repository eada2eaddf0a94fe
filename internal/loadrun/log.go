package loadrun

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
)

// Log is an interval log of HdrHistogram that is being written.
type Log struct {
	path    string // as it was named
	file    *session.OutputFile
	w       *hist.LogWriter
	run     *record.Run
	asYCSB  bool // tags are those of YCSB's own log
	written bool
}

// OpenLog creates an interval log. With asYCSB its tags are those of YCSB's own log.
func OpenLog(path string, asYCSB bool) (l *Log, err error) {
	l = &Log{path: path, asYCSB: asYCSB}
	l.file, err = session.CreateBeside(path)
	return l, err
}

// head writes the head of the log. The log starts with the first interval, so that its
// seconds count from the beginning of the run and not of the warm-up.
func (l *Log) head(start time.Time) error {
	l.file.Head = true
	defer func() { l.file.Head = false }()
	l.w = hist.NewLogWriter(l.file, hist.LogConfig{Start: start, Comment: "written by tare " + l.run.Tare + ": " + strings.Join(l.run.Command, " ")})
	return l.w.Begin()
}

func (l *Log) write(h *record.Hist) error {
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

// logTag returns the tag of an operation's latencies: READ.response, or as in YCSB's log
// READ for service and Intended-READ for response times. ok is false for a kind that
// YCSB's log does not have.
func logTag(name, kind string, asYCSB bool) (tag string, ok bool) {
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
		return latencies.YCSBResponse + clean, true
	case record.TagFailed:
		return clean + latencies.YCSBFailed, true
	case record.TagUnanswered:
		return clean + latencies.YCSBUnanswered, true
	case record.TagUnansweredService:
		return clean + latencies.YCSBUnansweredService, true
	}
	return "", false
}

func (l *Log) close(complete bool) error {
	if l == nil {
		return nil
	}
	var err error
	if !l.written && l.run != nil {
		err = l.head(l.run.Start) // a log without intervals has a head, too
	}
	if err != nil {
		err = exit.Failed(fmt.Errorf("-o %s: %w", l.path, err), "")
	}
	return errors.Join(err, l.file.Close(complete && err == nil))
}

// moved returns the error of a log that another program changed while it was written.
func (l *Log) moved() error {
	if l == nil {
		return nil
	}
	return l.file.Moved()
}

// discard removes a log to which nothing was written.
func (l *Log) discard() {
	if l != nil {
		l.file.Discard()
	}
}
