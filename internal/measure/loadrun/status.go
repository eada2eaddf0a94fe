package loadrun

import (
	"fmt"
	"io"
	"sync"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/load"
)

// Status shows how far a run is: one line on a terminal, and elsewhere one every ten seconds. Its figures are those of the last
// interval, so that a stall is seen when it happens. Messages of the run that stay are written through it, too.
type Status struct {
	w        io.Writer
	progress *session.Progress

	mu     sync.Mutex // workers may print operations
	redact func(string) string
	phase  phaseStatus
}

// NewStatus returns a Status that writes messages to w.
func NewStatus(w io.Writer, p *session.Progress) *Status { return &Status{w: w, progress: p} }

// begin starts a phase. redact replaces secrets in errors.
func (s *Status) begin(c *load.Config, redact func(string) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phase, s.redact = newPhaseStatus(c), redact
}

// show shows an interval. The engine calls it.
func (s *Status) show(i *load.Interval) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.progress.Silent() || i.Final {
		return
	}
	for _, class := range s.phase.add(i) {
		if first := i.First[class]; first != "" {
			s.progress.Note("%s: first %s: %s", s.phase.name, class, termtext.OneLine(s.redact(first)))
		}
	}
	s.progress.Fit(s.phase.line)
}

// pair shows how far a run of sides is, and how they compare so far.
func (s *Status) pair(n, of int, text func() string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n == of {
		s.progress.ShowNext()
	}
	s.progress.Step(func() string {
		line := fmt.Sprintf("pair %d of %d", n, of)
		if so := text(); so != "" {
			line += " · " + so
		}
		return line
	})
}

// outcome prints whether a step met the objectives.
func (s *Status) outcome(rate float64, step *result.Load) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.progress.Silent() {
		return
	}
	word := "missed"
	switch {
	case step.Met:
		word = "met"
	case step.Undecided:
		word = "undecided: " + step.WhyUndecided()
	}
	s.progress.Note("%s %s", units.Rate(rate), word)
}

// note prints a line that stays, unless progress is not shown.
func (s *Status) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.progress.Silent() {
		s.progress.Note("%s", text)
	}
}

// print prints a line that stays.
func (s *Status) print(text string) { fmt.Fprintln(s, "tare: "+exit.Shown(text)) }

// Write writes whole lines that stay, also if nothing else is shown.
func (s *Status) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress.Clear()
	return s.w.Write(b)
}

// Clear removes the line from the terminal.
func (s *Status) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.progress.Clear()
}
