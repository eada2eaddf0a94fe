package session

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"
)

// TestNoSecrets: whatever way a text takes to people or to a record, an address in it opens nothing.
func TestNoSecrets(t *testing.T) {
	const text = "Get \"https://me:HUNTER1@host/x?sig=HUNTER2&X-Amz-Signature=HUNTER3\": refused"
	var out bytes.Buffer
	exit.Message(&out, "error", text)
	for _, mode := range []string{"plain", "line"} {
		p := &Progress{w: &out, mode: mode, width: func() int { return 200 }, clock: time.Now, now: true}
		p.Phase("%s", text)
		p.now = true
		p.Step(func() string { return text })
		p.Note("%s", text)
		p.Error(exit.Failed(os.ErrInvalid, text))
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "x.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := NewRecorder(f)
	const name = "Get/https://me:HUNTER4@host/x?a=1&sig=HUNTER5"
	warn := &record.Warn{About: record.AboutRun, Code: "x", Text: text, Advice: text}
	for _, l := range []record.Line{
		&record.Run{Kind: record.KindBench, Sides: []record.Side{{Name: "old", Ref: text}}}, warn,
		&record.Case{ID: 1, Name: name, Params: record.ParseName(name)},
		&record.Attach{Fork: 1, Name: record.AttachTrace, Media: "application/json", Data: []byte(`{"mode":"https:\/\/me:HUNTER6@host","clock":"?sig=HUNTER7"}`)},
		&record.Fork{ID: 1, Case: 1, Why: text, Tail: text, State: record.StateFailed}, &record.End{State: record.EndPartial, Why: text},
	} {
		if err := r.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	out.Write(written)
	for line, err := range record.NewReader(bytes.NewReader(written), f.Name()).All() {
		if a, ok := line.(*record.Attach); ok {
			out.Write(a.Data)
		}
		if err != nil {
			t.Error(err)
		}
	}
	for _, w := range r.Result().Warnings {
		out.WriteString(w.Text + w.Advice)
	}
	if shown := out.String(); strings.Contains(shown, "HUNTER") || strings.Count(shown, "host") < 10 {
		t.Errorf("%s", shown)
	}
	if warn.Text != text {
		t.Errorf("the caller's line has changed: %s", warn.Text)
	}
}

// TestProgressVisible: whatever the name of what is measured, a terminal obeys nothing of the progress line, and no line
// is longer than the terminal.
func TestProgressVisible(t *testing.T) {
	const text = "round 1/2 · a\x1b[2J\x1b]0;x\x07\u009b31m\x7f\u202e\r\n日本語日本語日本語日本語日本語日本語日本語日本語"
	for _, mode := range []string{"plain", "line"} {
		var out bytes.Buffer
		p := &Progress{w: &out, mode: mode, width: func() int { return 72 }, clock: time.Now, now: true}
		p.Step(func() string { return text })
		shown := strings.TrimSuffix(strings.TrimPrefix(out.String(), "\r\x1b[K"), "\n")
		if !strings.Contains(shown, `a\x1b[2J\x1b]0;x\a\u009b31m\x7f\u202e\r\n日`) || strings.ContainsAny(shown, "\x1b\x07\u009b\x7f\u202e\r\n") {
			t.Errorf("%s: %q", mode, shown)
		}
		if width := termtext.Width(shown); mode == "line" && width > 71 {
			t.Errorf("%d cells: %q", width, shown)
		}
	}
}
