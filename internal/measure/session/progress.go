package session

import (
	"fmt"
	"io"
	"math"
	"time"

	"golang.org/x/term"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
)

// plainEvery is the pause between progress lines where there is no terminal.
const plainEvery = 10 * time.Second

// redrawEvery bounds how often the line on a terminal is redrawn.
const redrawEvery = 250 * time.Millisecond

var charset = termtext.Charset{UTF8: true}

// Progress shows people how far a run is. It is called only between measured
// processes, by the process that waits for them: while one measures, nothing is
// drawn.
type Progress struct {
	w     io.Writer
	mode  string // "line" redraws one, "plain" writes lines, "none" is silent
	width func() int
	clock func() time.Time
	last  time.Time
	shown bool
	now   bool // Step shows the next line, however soon
}

// NewProgress returns the progress line of a value of --progress: auto, plain or none.
func NewProgress(w io.Writer, mode string) (*Progress, error) {
	if m, ok := w.(*exit.Messages); ok {
		w = m.Terminal() // all of our lines are made visible here
	}
	p := &Progress{w: w, clock: time.Now, last: time.Now(), width: func() int { return defaultWidth }}
	f, isFile := w.(interface{ Fd() uintptr })
	tty := isFile && term.IsTerminal(int(f.Fd()))
	switch mode {
	case "auto", "":
		p.mode = "plain"
		if tty {
			p.mode = "line"
		}
	case "plain", "none":
		p.mode = mode
	default:
		return nil, exit.Usage(fmt.Errorf("--progress %q is none of auto, plain, none", mode), "")
	}
	if tty {
		p.width = func() int {
			if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
				return w
			}
			return defaultWidth
		}
	}
	return p, nil
}

// NoProgress returns a progress that shows nothing, and keeps notes to itself.
func NoProgress() *Progress {
	return &Progress{w: io.Discard, mode: "none", clock: time.Now, width: func() int { return defaultWidth }}
}

// defaultWidth is the width in columns of a terminal that does not tell its own.
const defaultWidth = 80

// Phase shows what is being done.
func (p *Progress) Phase(format string, args ...any) {
	p.Step(func() string { return fmt.Sprintf(format, args...) })
}

// Step shows a line if enough time has passed since the last one. text is called
// only then.
func (p *Progress) Step(text func() string) { p.Fit(func(int) string { return text() }) }

// Fit is Step for a text that can be fitted to a width in columns.
func (p *Progress) Fit(text func(width int) string) {
	now := p.clock()
	defer func() { p.now = false }()
	switch p.mode {
	case "line":
		if p.shown && !p.now && now.Sub(p.last) < redrawEvery {
			return
		}
		p.last, p.shown = now, true
		width := p.width() - 1
		fmt.Fprint(p.w, "\r\x1b[K"+charset.Head(charset.Line(redact.Text(text(width))), width))
	case "plain":
		if !p.now && now.Sub(p.last) < plainEvery {
			return
		}
		p.last = now
		fmt.Fprintln(p.w, charset.Line(redact.Text(text(math.MaxInt))))
	}
}

// ShowNext has the next Step show its line at once: the first estimates are what
// people wait for.
func (p *Progress) ShowNext() { p.now = true }

// Clear removes the line, so that something else can be written.
func (p *Progress) Clear() {
	if p.mode == "line" && p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// Silent reports whether nothing is shown.
func (p *Progress) Silent() bool { return p.mode == "none" }

// Error writes an error and its hint.
func (p *Progress) Error(err error) {
	p.Clear()
	exit.Print(p.w, err, "")
}

// Note writes a line that stays. As all lines it goes through [exit.Shown].
func (p *Progress) Note(format string, args ...any) {
	p.Clear()
	fmt.Fprintf(p.w, "tare: %s\n", exit.Shown(fmt.Sprintf(format, args...)))
}
