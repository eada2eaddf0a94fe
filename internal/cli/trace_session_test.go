package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/spawn"
)

// TestUnsaved: a record that cannot be written does not keep the result from being shown,
// and is an error in the end.
func TestUnsaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	file.Close() // what is written to it fails, as on a disk that is full
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w := &watch{benchSession: &benchSession{
		sink:    session.NewRecorder(file),
		signals: session.CatchSignals(func(os.Signal) {}), streams: streams{out: out, err: out},
	}, f: &watchFlags{}}
	w.sink.WriteHint = "elsewhere"
	defer w.signals.Stop()
	if w.progress, err = session.NewProgress(out, "none"); err != nil {
		t.Fatal(err)
	}
	w.bins = append(w.bins, programBinary(&command.Program{Line: "program", Path: os.Args[0]}, 1, ""))
	w.fork(traceName, "program", spawn.Result{}, nil)
	w.finish()
	err = w.conclude(nil, &render.View{Title: "program", Text: func(o io.Writer, _ render.Options) error {
		_, err := io.WriteString(o, "what was counted\n")
		return err
	}})
	text, _ := os.ReadFile(out.Name())
	if !strings.Contains(string(text), "what was counted") || err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("printed %q, %v", text, err)
	}
}
