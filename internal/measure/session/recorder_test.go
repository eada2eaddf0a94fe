package session

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/record"
)

// TestDiskFull: the hint about a line that cannot be written promises what the file holds, and
// a file without a line does not stay.
func TestDiskFull(t *testing.T) {
	run := &record.Run{Kind: record.KindBench, Start: time.Unix(1, 0)}
	planned := []record.Line{run, &record.Bin{ID: 1}, &record.Case{ID: 1, Bin: 1}}
	fork := &record.Fork{ID: 1, Case: 1, Bin: 1, Purpose: record.PurposeTiming, State: record.StateOK}
	measured := append(slices.Clone(planned), fork)
	timed := []record.Line{&record.Run{Kind: record.KindTime, Start: time.Unix(1, 0)}, fork}
	for _, c := range []struct {
		written []record.Line
		want    string
		removed bool
	}{
		{nil, "nothing was measured yet; make room and start again, or name a file", true},
		{planned, "nothing was measured yet; make room and start again", false},
		{measured, "what was measured before is in the file; make room and go on with tare bench --resume ", false},
		{timed, "what was measured before is in the file: tare report ", false},
	} {
		path := filepath.Join(t.TempDir(), "x.jsonl")
		r, err := OpenRecorder(path, 1, time.Unix(1, 0))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range c.written {
			if err := r.Write(l); err != nil {
				t.Fatal(err)
			}
		}
		r.w = record.NewWriter(unwritable(t))
		failed := exit.As(r.Write(&record.End{State: record.EndCompleted}))
		if failed == nil || failed.Code != exit.Failure || !strings.HasPrefix(failed.Hint, c.want) {
			t.Errorf("after %d lines: %+v, want %q", len(c.written), failed, c.want)
		}
		r.Discard()
		if _, err := os.Stat(path); os.IsNotExist(err) != c.removed || r.Begun() == c.removed {
			t.Errorf("after %d lines: %v, begun %t", len(c.written), err, r.Begun())
		}
	}
}

// unwritable returns a file to which nothing can be written.
func unwritable(t *testing.T) *os.File {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestKeptRecords: a record without a name that is being written stays, however many come after it.
func TestKeptRecords(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files cannot be claimed there")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	first, err := OpenRecorder("", 1, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close(true)
	for i := range 2 * keptRuns {
		r, err := OpenRecorder("", record.Seed(i), time.Unix(int64(i+1), 0))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Write(&record.Run{Kind: record.KindBench}); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(true); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(first.out.path); err != nil {
		t.Error("the record that is being written:", err)
	}
	names, err := filepath.Glob(filepath.Join(recordsDir(), "*.jsonl"))
	if err != nil || len(names) != keptRuns+1 {
		t.Errorf("%d records are kept beside the open one, want %d; %v", len(names)-1, keptRuns, err)
	}
}
