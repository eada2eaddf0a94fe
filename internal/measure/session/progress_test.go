package session

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// ticking is a progress line with a clock of its own.
func ticking(mode string, width int) (*Progress, *strings.Builder, func(time.Duration)) {
	var out strings.Builder
	now := time.Unix(1000, 0)
	p := &Progress{w: &out, mode: mode, width: func() int { return width }, clock: func() time.Time { return now }, last: now}
	return p, &out, func(d time.Duration) { now = now.Add(d) }
}

// TestPlainProgress: where there is no terminal, a line every ten seconds, as long as it is.
func TestPlainProgress(t *testing.T) {
	p, out, wait := ticking("plain", 40)
	for n := range 31 {
		p.Fit(func(width int) string { return fmt.Sprintf("second %d, %v", n, width > 1e6) })
		wait(time.Second)
	}
	if want := "second 10, true\nsecond 20, true\nsecond 30, true\n"; out.String() != want {
		t.Errorf("%q, want %q", out, want)
	}
}

// TestLineProgress: a terminal has one line, which is drawn anew at most four times a second and fits.
func TestLineProgress(t *testing.T) {
	for _, width := range []int{40, 80, 200} {
		p, out, wait := ticking("line", width)
		for range 10 {
			p.Fit(func(fit int) string {
				if fit != width-1 {
					t.Errorf("fitted to %d of %d columns", fit, width)
				}
				return strings.Repeat("x", 300)
			})
			wait(100 * time.Millisecond)
		}
		p.Clear()
		lines := strings.Split(out.String(), "\r\x1b[K")[1:]
		if len(lines) != 5 || lines[4] != "" { // at 0, 300, 600, 900 ms, and the cleared one
			t.Errorf("%q", lines)
		}
		for _, l := range lines[:len(lines)-1] {
			if n := len([]rune(l)); n == 0 || n > width-1 {
				t.Errorf("%d columns: a line of %d", width, n)
			}
		}
		if strings.Contains(out.String(), "\n") {
			t.Error("the line was ended")
		}
	}
}
