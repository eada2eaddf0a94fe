package fork

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tarebench/tare/record"
)

// pipeVersion is the version of what forks say on their pipe that we understand.
const pipeVersion = 1

// maxSaidLine bounds one line, so that it fits into a record however it has to be
// escaped there. What is larger belongs into a file.
const maxSaidLine = record.MaxLine / 8

// Mark is the beginning or the end of a window in which a fork measured, for
// profilers that look from outside.
type Mark struct {
	Name  string `json:"name"`  // benchmark
	Iter  int    `json:"iter"`  // from 1, warm-up included
	Phase string `json:"phase"` // record.PhaseWarmup …
	Ev    string `json:"ev"`    // MarkBegin or MarkEnd
	T     int64  `json:"t"`     // CLOCK_MONOTONIC ns
	Ops   int64  `json:"ops"`   // operations; known at the end
}

// The events of a mark.
const (
	MarkBegin = "begin"
	MarkEnd   = "end"
)

// said is what a fork wrote to its pipe.
type said struct {
	decoder  record.LineDecoder
	samples  []*record.Sample
	lines    []record.Line // others that belong into the record, in their order
	marks    []Mark
	announce []Announcement
	refused  int   // lines that were left out
	first    error // why the first of them was
}

// decode makes sense of what came. f is the fork that said it.
func (p *pipe) decode(f *record.Fork) said {
	var s said
	if p == nil {
		return s
	}
	rest, greeted := p.text, false
	for number := 1; len(rest) > 0; number++ {
		var text []byte
		text, rest, _ = bytes.Cut(rest, []byte("\n"))
		text = bytes.TrimSpace(text)
		if len(text) == 0 {
			continue
		}
		var err error
		if greeted {
			err = s.take(text, f)
		} else {
			err = hello(text)
			greeted = err == nil
		}
		if err != nil {
			s.refuse(fmt.Errorf("line %d: %w", number, err))
		}
		if !greeted { // whoever writes there does not mean us
			s.refused += lines(rest)
			break
		}
	}
	if p.over > 0 {
		s.refuse(fmt.Errorf("%d bytes came after the first %d", p.over, p.max))
	}
	return s
}

func lines(text []byte) int {
	n := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

func (s *said) refuse(err error) {
	if s.refused == 0 {
		s.first = err
	}
	s.refused++
}

var (
	errNoHello = errors.New("no hello")
	errKind    = errors.New("not a kind that a fork may write")
)

// hello checks the line that comes first:
//
//	{"k":"hello","v":1,"from":"bench"}
func hello(text []byte) error {
	var h struct {
		K    string `json:"k"`
		V    int    `json:"v"`
		From string `json:"from"` // bench or hook
	}
	switch err := json.Unmarshal(text, &h); {
	case err != nil || h.K != "hello":
		return errNoHello
	case h.V != pipeVersion:
		return fmt.Errorf("version %d of the pipe, this tare knows version %d", h.V, pipeVersion)
	}
	return nil
}

// take decodes one line and makes it one of the fork's.
func (s *said) take(text []byte, f *record.Fork) error {
	if len(text) > maxSaidLine {
		return fmt.Errorf("longer than %d bytes", maxSaidLine)
	}
	line, err := s.decoder.Decode(text)
	if err != nil {
		return err
	}
	sign(line, f)
	switch l := line.(type) {
	case *record.Sample:
		if l.Iter < 1 || l.Phase == "" || l.Ns < 0 || l.Ops < 0 {
			return errors.New("sample line: needs iter from 1, a phase, and no negative ns or ops")
		}
		s.samples = append(s.samples, l)
		return nil
	case *record.Hist:
		if l.Iter < 1 || len(l.Data) == 0 {
			return errors.New("hist line: needs iter from 1 and data")
		}
	case *record.Attach, *record.Tare, *record.Warn:
	case *record.Raw:
		return s.takeRaw(l, text)
	default:
		return errKind
	}
	s.lines = append(s.lines, line)
	return nil
}

// takeRaw takes the kinds that package record has no type for.
func (s *said) takeRaw(l *record.Raw, text []byte) error {
	switch l.Kind {
	case "hello": // there may be two speakers: package bench, and testing with hooks
		return hello(text)
	case "announce":
		return s.takeAnnouncement(text)
	case "mark":
		var m Mark
		if err := json.Unmarshal(text, &m); err != nil {
			return err
		}
		if m.Ev != MarkBegin && m.Ev != MarkEnd {
			return fmt.Errorf("mark line: %.20q is neither begin nor end", m.Ev)
		}
		s.marks = append(s.marks, m)
		return nil
	}
	return errKind
}

// sign makes a line the fork's.
func sign(line record.Line, f *record.Fork) {
	switch l := line.(type) {
	case *record.Sample:
		l.Fork = f.ID
	case *record.Hist:
		l.Fork = f.ID
	case *record.Attach:
		l.Fork, l.Case = f.ID, 0
	case *record.Tare:
		l.Fork = f.ID
	case *record.Warn:
		address(l, f)
	}
}

// address fills in what a fork cannot know of itself.
func address(w *record.Warn, f *record.Fork) {
	switch w.About {
	case record.AboutRun:
		w.ID = 0
	case record.AboutCase:
		w.ID = f.Case
	default:
		w.About, w.ID = record.AboutFork, f.ID
	}
}

// warn is the one doubt about all that was refused, nil if nothing was.
func (s *said) warn(f *record.Fork) *record.Warn {
	if s.refused == 0 {
		return nil
	}
	return &record.Warn{
		About: record.AboutFork, ID: f.ID, Code: "pipe",
		Text:   clip(fmt.Sprintf("%d lines that it wrote to %s were left out, the first for: %v", s.refused, pipeVar, s.first)),
		Advice: "whatever writes there is no package of this tare's version, or was cut off",
	}
}

// measures reports whether the fork sent samples that count.
func (s *said) measures() bool {
	for _, x := range s.samples {
		if x.Phase == record.PhaseMeasure {
			return true
		}
	}
	return false
}
