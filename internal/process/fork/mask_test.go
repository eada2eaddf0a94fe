package fork

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestMaskWarnings: a secret that a process puts into a warning is hidden in its text, its advice and its facts.
func TestMaskWarnings(t *testing.T) {
	const secret = "hunter2hunter2"
	var written []record.Line
	r := &Runner{
		Mask:  func(s string) string { return strings.ReplaceAll(s, secret, "***") },
		Write: func(l record.Line) error { written = append(written, l); return nil },
	}
	w := &record.Warn{About: record.AboutFork, Code: "x", Text: "with " + secret, Advice: "not " + secret, Facts: map[string]string{"why": secret, "n": "1"}}
	if err := r.write(&Outcome{}, &childMessages{lines: []record.Line{w}}); err != nil {
		t.Fatal(err)
	}
	if len(written) != 2 || w.Text != "with ***" || w.Advice != "not ***" || w.Facts["why"] != "***" || w.Facts["n"] != "1" {
		t.Errorf("%d lines, %+v", len(written), w)
	}
}
