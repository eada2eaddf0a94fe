package session

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/redact"
	"github.com/tarebench/tare/internal/termtext"
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
	width int
	last  time.Time
	shown bool
	now   bool // Step shows the next line, however soon
}

// NewProgress returns the progress line of a value of --progress: auto, plain or none.
func NewProgress(w io.Writer, mode string) (*Progress, error) {
	if m, ok := w.(*exit.Messages); ok {
		w = m.Terminal() // all of our lines are made visible here
	}
	p := &Progress{w: w, last: time.Now()}
	f, isFile := w.(*os.File)
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
	p.width = 80
	if tty {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
			p.width = w
		}
	}
	return p, nil
}

// Phase shows what is being done.
func (p *Progress) Phase(format string, args ...any) {
	p.Step(func() string { return fmt.Sprintf(format, args...) })
}

// Step shows a line if enough time has passed since the last one. text is called
// only then.
func (p *Progress) Step(text func() string) {
	now := time.Now()
	defer func() { p.now = false }()
	switch p.mode {
	case "line":
		if p.shown && !p.now && now.Sub(p.last) < redrawEvery {
			return
		}
		p.last, p.shown = now, true
		fmt.Fprint(p.w, "\r\x1b[K"+charset.Head(charset.Line(redact.Addresses(text())), p.width-1))
	case "plain":
		if !p.now && now.Sub(p.last) < plainEvery {
			return
		}
		p.last = now
		fmt.Fprintln(p.w, charset.Line(redact.Addresses(text())))
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
