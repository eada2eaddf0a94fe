package programrun

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/process/command"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/internal/profile/asm"
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
	r := &Runner{Options: Options{Job: &job.Program{Kind: record.KindTrace}, Signals: session.CatchSignals(func(os.Signal) {})}, Recorder: session.NewRecorder(file)}
	r.Recorder.WriteHint = "elsewhere"
	defer r.Signals.Stop()
	r.addProgram(os.Args[0])
	r.addFork(record.KindTrace, "program", spawn.Result{}, nil)
	r.finish()
	if len(r.Recorder.Result().Results) > 0 {
		t.Error("what was not written is in the result")
	}
	if err := r.Err(nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Error(err)
	}
}

// TestNotAlone: records of programs say that another tare measured at the same time: that of a
// command whose machine code is sampled, and one beside which the other came later.
func TestNotAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no lock there")
	}
	t.Setenv("TMPDIR", t.TempDir())
	lock := func(mode session.LockMode, command string) *session.MachineLock {
		l, err := session.LockMachine(context.Background(), nil, mode, []string{command})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(l.Unlock)
		return l
	}
	runner := func(name string, machine *session.MachineLock) *Runner {
		file, err := os.Create(filepath.Join(t.TempDir(), name))
		if err != nil {
			t.Fatal(err)
		}
		r := &Runner{Options: Options{Job: &job.Program{Kind: record.KindTrace}, Signals: session.CatchSignals(func(os.Signal) {})}, Recorder: session.NewRecorder(file), machine: machine}
		t.Cleanup(r.Signals.Stop)
		return r
	}
	first := runner("first.jsonl", lock(session.LockMode{NoWait: true}, "first"))
	first.addProgram(os.Args[0])
	first.addFork(record.KindTrace, "program", spawn.Result{}, nil)
	second := runner("second.jsonl", lock(session.LockMode{NoLock: true}, "second"))
	program := &command.Program{Path: os.Args[0], Line: "program"}
	if err := second.recordAsm(program, &asm.Run{Asm: &record.Asm{}}); err != nil {
		t.Fatal(err)
	}
	first.finish()
	for r, other := range map[*Runner]string{first: "second", second: "first"} {
		text, err := os.ReadFile(r.Recorder.Path())
		if err != nil || strings.Count(string(text), `"code":"not-alone"`) != 1 || !strings.Contains(string(text), ": "+other+", pid ") {
			t.Errorf("%v, %s", err, text)
		}
	}
}

// TestEndIsKnown: who has --duration tells others when its runs should have ended.
func TestEndIsKnown(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no lock there")
	}
	t.Setenv("TMPDIR", t.TempDir())
	ctx := context.Background()
	machine, err := session.LockMachine(ctx, nil, session.LockMode{NoWait: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer machine.Unlock()
	r := &Runner{Options: Options{Job: &job.Program{Duration: 10 * time.Hour}}, machine: machine, runs: 2}
	left := func() string {
		_, err := session.LockMachine(ctx, nil, session.LockMode{NoWait: true}, nil)
		_, left, _ := strings.Cut(err.Error(), ", about ")
		return left
	}
	if got := left(); got != "" {
		t.Errorf("before the runs: %q", got)
	}
	for _, want := range []string{"19h5", "9h5"} { // some minutes later at most
		r.beginRun()
		if got := left(); !strings.HasPrefix(got, want) && !strings.HasPrefix(got, "20h0m0s") && !strings.HasPrefix(got, "10h0m0s") {
			t.Errorf("%q, want %s…", got, want)
		}
	}
}
