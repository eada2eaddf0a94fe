package session

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/record"
)

// TestNoSecrets: whatever way a text takes to people or to a record, an address in it opens nothing.
func TestNoSecrets(t *testing.T) {
	const text = "Get \"https://me:HUNTER1@host/x?sig=HUNTER2&X-Amz-Signature=HUNTER3\": refused"
	var out bytes.Buffer
	exit.Message(&out, "error", text)
	for _, mode := range []string{"plain", "line"} {
		p := &Progress{w: &out, mode: mode, width: 200, now: true}
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
	warn := &record.Warn{About: record.AboutRun, Code: "x", Text: text, Advice: text}
	for _, l := range []record.Line{
		&record.Run{Kind: record.KindBench}, warn,
		&record.Fork{ID: 1, Case: 1, Tail: text, State: record.StateFailed}, &record.End{State: record.EndPartial, Why: text},
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
