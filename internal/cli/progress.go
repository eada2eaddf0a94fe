package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// plainEvery is the pause between progress lines where there is no terminal.
const plainEvery = 10 * time.Second

// redrawEvery bounds how often the line on a terminal is redrawn.
const redrawEvery = 250 * time.Millisecond

// progress tells people how far a run is. It is only called between forks, by
// the process that waits for them: while one measures, nothing is drawn.
type progress struct {
	w     io.Writer
	mode  string // "line" redraws one, "plain" writes lines, "none" is silent
	width int
	last  time.Time
	shown bool
	urged bool // step is to show the next line whatever the time
}

// newProgress takes the value of --progress.
func newProgress(w io.Writer, mode string) (*progress, error) {
	p := &progress{w: w, last: time.Now()}
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
		return nil, usageError(fmt.Errorf("--progress %q is none of auto, plain, none", mode), "")
	}
	p.width = 80
	if tty {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
			p.width = w
		}
	}
	return p, nil
}

// phase tells what is being done; on a terminal at once.
func (p *progress) phase(format string, args ...any) {
	p.step(func() string { return fmt.Sprintf(format, args...) })
}

// step draws a line if it is time to. The text is made only then.
func (p *progress) step(text func() string) {
	now := time.Now()
	defer func() { p.urged = false }()
	switch p.mode {
	case "line":
		if p.shown && !p.urged && now.Sub(p.last) < redrawEvery {
			return
		}
		p.last, p.shown = now, true
		fmt.Fprintf(p.w, "\r\x1b[K%s", clip(text(), p.width-1))
	case "plain":
		if !p.urged && now.Sub(p.last) < plainEvery {
			return
		}
		p.last = now
		fmt.Fprintln(p.w, text())
	}
}

// urge has the next line shown at once: the first estimates are what people
// wait for.
func (p *progress) urge() { p.urged = true }

// clear takes the line away, so that something else can be written.
func (p *progress) clear() {
	if p.mode == "line" && p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// note writes a line that stays.
func (p *progress) note(format string, args ...any) {
	p.clear()
	fmt.Fprintf(p.w, "tare: %s\n", visible(fmt.Sprintf(format, args...)))
}

func clip(s string, width int) string {
	r := []rune(strings.Map(func(r rune) rune {
		if r < ' ' {
			return '?'
		}
		return r
	}, s))
	if len(r) > width {
		r = append(r[:width-1], '…')
	}
	return string(r)
}
