package loadrun

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/record"
)

// Log is an interval log of HdrHistogram that is being written.
type Log struct {
	path    string // as it was named
	file    *session.OutputFile
	w       *hist.LogWriter
	run     *record.Run
	written bool
}

// openLog creates an interval log.
func openLog(path string) (l *Log, err error) {
	l = &Log{path: path}
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
	return l.w.Write(hist.Interval{Tag: latencies.JoinTag(h.Name, h.Tag), Start: start, Length: time.Duration(h.Length), Histogram: decoded})
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
