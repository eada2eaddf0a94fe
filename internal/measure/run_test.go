package measure_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/measure"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
)

// TestMain lets the test binary be a command that is measured.
func TestMain(m *testing.M) {
	if text := os.Getenv("MEASURED_COMMAND"); text != "" {
		fmt.Println(text)
		os.Exit(len(text) - 1)
	}
	os.Exit(m.Run())
}

func measured(text string) job.Command {
	j := job.DefaultCommand()
	j.Words, j.Setenv, j.Runs = []string{os.Args[0]}, []string{"MEASURED_COMMAND=" + text}, 3
	return j
}

// TestRunCommand: the record of a command is complete, and its output is where the job says. One that fails, or is
// interrupted, leaves a partial record.
func TestRunCommand(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.jsonl")
	j := measured("x")
	j.Stdout = filepath.Join(dir, "out.txt")
	rec, err := measure.RunCommand(t.Context(), &j, path)
	if err != nil {
		t.Fatal(err)
	}
	if end, runs := endOf(t, path); end != record.EndCompleted || runs != 3 || len(rec.Result().Results) != 1 {
		t.Errorf("%s after %d runs, %+v", end, runs, rec.Result().Results)
	}
	if out, err := os.ReadFile(j.Stdout); err != nil || string(out) != "x\n" {
		t.Errorf("%q, %v", out, err)
	}

	j = measured("four")
	rec, err = measure.RunCommand(t.Context(), &j, filepath.Join(dir, "failed.jsonl"))
	if err == nil || !strings.Contains(err.Error(), "run 1 of 3 ended with status 3") {
		t.Fatal(err)
	}
	if end, runs := endOf(t, rec.Path()); end != record.EndPartial || runs != 1 {
		t.Errorf("%s after %d runs", end, runs)
	}

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	j = measured("x")
	if _, err := measure.RunCommand(ended, &j, filepath.Join(dir, "ended.jsonl")); !errors.Is(err, plan.ErrInterrupted) {
		t.Errorf("%v", err)
	}
	j.Runs, j.Stdout = 0, ""
	if _, err := measure.RunCommand(t.Context(), &j, path); err == nil || !strings.Contains(err.Error(), "--runs 0 is less than 1; --stdout needs") {
		t.Errorf("%v", err)
	}
}

// TestRunProgram: a program is traced without a command line. One that is there already is not.
func TestRunProgram(t *testing.T) {
	dir := t.TempDir()
	main := filepath.Join(dir, "main.go")
	if err := os.WriteFile(main, []byte("package main\n\nfunc main() {\n\tfor range 3 {\n\t\tcalled()\n\t}\n}\n\n//go:noinline\nfunc called() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	j := job.DefaultProgram(record.KindTrace)
	j.Packages, j.Include, j.Duration = []string{main}, []string{"main.called"}, time.Minute
	rec, err := measure.RunProgram(t.Context(), &j, filepath.Join(dir, "x.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if end, runs := endOf(t, rec.Path()); end != record.EndCompleted || runs != 1 {
		t.Errorf("%s after %d runs", end, runs)
	}
	traces := rec.Result().Calls
	if len(traces) != 1 || len(traces[0].Forks) != 1 || traces[0].Forks[0].Calls != 3 {
		t.Errorf("%+v", traces)
	}
	j.Packages, j.Command = nil, []string{os.Args[0]}
	if _, err := measure.RunProgram(t.Context(), &j, ""); err == nil || !strings.Contains(err.Error(), "tare adds probes when it builds a program") {
		t.Errorf("%v", err)
	}
}

// endOf returns the state in which a record ended, and how many runs it has.
func endOf(t *testing.T, path string) (state string, runs int) {
	t.Helper()
	for l, err := range record.ReadFile(path) {
		if err != nil {
			t.Fatal(err)
		}
		switch l := l.(type) {
		case *record.Fork:
			runs++
		case *record.End:
			state = l.State
		}
	}
	return state, runs
}
