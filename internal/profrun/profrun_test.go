package profrun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
)

// TestUnsaved: a record that cannot be written is an error in the end, and none before, so that
// the result is shown all the same.
func TestUnsaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	file.Close() // what is written to it fails, as on a disk that is full
	r := &Runner{Options: Options{Config: Config{Verb: record.KindTrace}}, Recorder: session.NewRecorder(file), Signals: session.CatchSignals(func(os.Signal) {})}
	r.Recorder.WriteHint = "elsewhere"
	defer r.Signals.Stop()
	r.addProgram(os.Args[0])
	r.addFork(record.KindTrace, "program", spawn.Result{}, nil)
	r.Finish()
	if len(r.Recorder.Result().Results) > 0 {
		t.Error("what was not written is in the result")
	}
	if err := r.Err(nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
}
