package fork

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// pipeVersion is the version of the pipe's protocol.
const pipeVersion = 1

// maxPipeLine is the longest accepted line in bytes, so that it fits into a record even when escaped. Larger
// data belongs into a file.
const maxPipeLine = record.MaxLine / 8

// Mark is the beginning or the end of a measured window, for profilers outside the process.
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

// childMessages is what a fork wrote to its pipe.
type childMessages struct {
	decoder       record.LineDecoder
	samples       []*record.Sample
	lines         []record.Line // other lines for the record, in their order
	marks         []Mark
	announcements []Announcement
	rejected      int   // number of dropped lines
	first         error // why the first was dropped
}

// decode parses what fork f wrote.
func (p *pipe) decode(f *record.Fork) childMessages {
	var s childMessages
	if p == nil {
		return s
	}
	rest, helloSeen := p.text, false
	for number := 1; len(rest) > 0; number++ {
		var text []byte
		text, rest, _ = bytes.Cut(rest, []byte("\n"))
		text = bytes.TrimSpace(text)
		if len(text) == 0 {
			continue
		}
		var err error
		if helloSeen {
			err = s.addLine(text, f)
		} else {
			err = hello(text)
			helloSeen = err == nil
		}
		if err != nil {
			s.reject(fmt.Errorf("line %d: %w", number, err))
		}
		if !helloSeen { // not written for tare
			s.rejected += lines(rest)
			break
		}
	}
	if p.over > 0 {
		s.reject(fmt.Errorf("%d bytes came after the first %d", p.over, p.max))
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

func (s *childMessages) reject(err error) {
	if s.rejected == 0 {
		s.first = err
	}
	s.rejected++
}

var (
	errNoHello = errors.New("no hello")
	errKind    = errors.New("forks may not write this kind of line")
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
		return fmt.Errorf("pipe protocol version %d, this tare supports version %d", h.V, pipeVersion)
	}
	return nil
}

// addLine decodes one line and adds it, as one of fork f.
func (s *childMessages) addLine(text []byte, f *record.Fork) error {
	if len(text) > maxPipeLine {
		return fmt.Errorf("longer than %d bytes", maxPipeLine)
	}
	line, err := s.decoder.Decode(text)
	if err != nil {
		return err
	}
	setFork(line, f)
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
	case *record.Warn:
		*l = diagnosis.Read(*l) // parts in package testing leave the sentences to us
	case *record.Attach, *record.Overhead:
	case *record.Raw:
		return s.addRaw(l, text)
	default:
		return errKind
	}
	s.lines = append(s.lines, line)
	return nil
}

// addRaw adds a line of a kind for which package record has no type.
func (s *childMessages) addRaw(l *record.Raw, text []byte) error {
	switch l.Kind {
	case "hello": // package bench and the hooks in testing each send one
		return hello(text)
	case "announce":
		return s.addAnnouncement(text)
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

// setFork sets a line's fork.
func setFork(line record.Line, f *record.Fork) {
	switch l := line.(type) {
	case *record.Sample:
		l.Fork = f.ID
	case *record.Hist:
		l.Fork = f.ID
	case *record.Attach:
		l.Fork, l.Case = f.ID, 0
	case *record.Overhead:
		l.Fork = f.ID
	case *record.Warn:
		setWarningID(l, f)
	}
}

// setWarningID sets what a warning is about: a fork does not know its own ids.
func setWarningID(w *record.Warn, f *record.Fork) {
	switch w.About {
	case record.AboutRun:
		w.ID = 0
	case record.AboutCase:
		w.ID = f.Case
	default:
		w.About, w.ID = record.AboutFork, f.ID
	}
}

// warn returns the warning about rejected lines, nil if there were none.
func (s *childMessages) warn(f *record.Fork, mask masker) *record.Warn {
	if s.rejected == 0 {
		return nil
	}
	w := diagnosis.Warn(diagnosis.Pipe, diagnosis.Facts{"lines": s.rejected, "variable": pipeVar, "why": mask.truncate(fmt.Sprint(s.first))})
	w.ID = f.ID
	return w
}

// hasMeasurements reports whether the fork sent measured samples.
func (s *childMessages) hasMeasurements() bool {
	for _, x := range s.samples {
		if x.Phase == record.PhaseMeasure {
			return true
		}
	}
	return false
}
