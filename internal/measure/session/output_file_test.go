package session

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/record"
)

// lineKinds returns the kinds of the lines of a record, which must be readable to its end.
func lineKinds(t *testing.T, path string) (kinds []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for line, err := range record.NewReader(f, path).All() {
		if err != nil {
			t.Fatal(err)
		}
		switch l := line.(type) {
		case *record.Run:
			kinds = append(kinds, "run")
		case *record.Case:
			kinds = append(kinds, "case")
		case *record.Fork:
			kinds = append(kinds, "fork")
		case *record.Warn:
			kinds = append(kinds, l.Code)
		case *record.End:
			kinds = append(kinds, "end")
		}
	}
	return kinds
}

// meddle are what other programs do to a record.
var meddle = []struct {
	name string
	do   func(path string) error
	what string // in the error
	lost bool   // the forks that were written before
}{
	{"removed", os.Remove, "was removed or renamed", false},
	{"renamed", func(p string) error { return os.Rename(p, p+".away") }, "was removed or renamed", false},
	{"replaced", func(p string) error {
		if err := os.WriteFile(p+".new", []byte("another's"), 0o666); err != nil {
			return err
		}
		return os.Rename(p+".new", p)
	}, "was replaced", false},
	{"truncated", func(p string) error { return os.Truncate(p, 0) }, "was truncated", true},
	{"shortened", func(p string) error { return os.Truncate(p, 10) }, "was truncated", true},
	{"overwritten", func(p string) error { return os.WriteFile(p, []byte(strings.Repeat("another's\n", 500)), 0o666) }, "was overwritten", true},
	{"as long as before", func(p string) error {
		info, err := os.Stat(p)
		if err != nil {
			return err
		}
		return os.WriteFile(p, []byte(strings.Repeat("x", int(info.Size()))), 0o666)
	}, "was overwritten", true},
}

// TestMeddling: a record that another program changes goes on in a file that holds all that
// can be saved, whether that is noticed at a line or at the end; what is at its name stays.
func TestMeddling(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("open files cannot be removed")
	}
	for _, c := range meddle {
		for _, when := range []string{"at a line", "at the end"} {
			for _, older := range []bool{false, true} {
				t.Run(c.name+" "+when, func(t *testing.T) {
					path := filepath.Join(t.TempDir(), "x.jsonl")
					if older {
						if err := os.WriteFile(path, []byte("older"), 0o666); err != nil {
							t.Fatal(err)
						}
					}
					testMeddling(t, path, older, when == "at the end", c.do, c.what, c.lost)
				})
			}
		}
	}
}

func testMeddling(t *testing.T, path string, older, atEnd bool, do func(string) error, what string, lost bool) {
	r, err := OpenRecorder(path, 1, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1, 0)
	r.out.now = func() time.Time { return now }
	write := func(lines ...record.Line) {
		t.Helper()
		for _, l := range lines {
			if err := r.Write(l); err != nil {
				t.Fatal(err)
			}
		}
	}
	fork := func(id int) *record.Fork {
		return &record.Fork{ID: id, Case: 1, Bin: 1, Purpose: record.PurposeTiming, State: record.StateOK}
	}
	end := &record.End{State: record.EndCompleted}
	write(&record.Run{Kind: record.KindBench, Start: now}, &record.Bin{ID: 1}, &record.Case{ID: 1, Bin: 1}, fork(1))
	old := r.Path()
	if atEnd {
		write(fork(2), end)
	}
	if err := do(old); err != nil {
		t.Fatal(err)
	}
	there, _ := os.ReadFile(old)
	if !atEnd {
		now = now.Add(checkEvery)
		write(fork(2), end)
	}
	if err := r.Close(true); err != nil {
		t.Fatal(err)
	}
	want := []string{"run", "case", "fork", "fork", "end"}
	switch {
	case lost && atEnd:
		want = []string{"run", "case", diagnosis.RecordLost} // it has no end, so that it can be resumed
	case lost:
		want = []string{"run", "case", "fork", diagnosis.RecordLost, "end"}
	}
	second := strings.TrimSuffix(path, ".jsonl") + ".2.jsonl"
	if got := lineKinds(t, second); !slices.Equal(got, want) || r.Path() != second {
		t.Errorf("%s has %q, want %q", r.Path(), got, want)
	}
	moved := r.Moved()
	if moved == nil || !strings.Contains(moved.Error(), old+" "+what+" ") || strings.Contains(moved.Error(), "lost") != lost {
		t.Errorf("%v, want %q", moved, what)
	}
	if now, _ := os.ReadFile(old); string(now) != string(there) {
		t.Errorf("what another program wrote was changed: %.100q, then %.100q", there, now)
	}
	if got, _ := os.ReadFile(path); older && string(got) != "older" {
		t.Errorf("%s holds %.100q", path, got)
	}
}

// TestMeddlingTwice: a file that is removed again and again is followed by the next, also
// where its directory goes; nothing is lost.
func TestMeddlingTwice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("open files cannot be removed")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	dir := filepath.Join(t.TempDir(), "dir")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	r, err := OpenRecorder(filepath.Join(dir, "x.jsonl"), 1, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1, 0)
	r.out.now = func() time.Time { return now }
	want := []string{"run"}
	for id, do := range []func() error{
		func() error { return os.WriteFile(filepath.Join(dir, "x.2.jsonl"), []byte("another's"), 0o666) },
		func() error { return os.Remove(r.Path()) },
		func() error { return os.Remove(r.Path()) },
		func() error { return os.RemoveAll(dir) },
	} {
		if id == 0 {
			err = r.Write(&record.Run{Kind: record.KindBench, Start: now})
		} else {
			err = r.Write(&record.Fork{ID: id, Case: 1, Bin: 1, Purpose: record.PurposeTiming, State: record.StateOK})
			want = append(want, "fork")
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := do(); err != nil {
			t.Fatal(err)
		}
		now = now.Add(checkEvery)
	}
	if err := r.Close(true); err != nil {
		t.Fatal(err)
	}
	if got := lineKinds(t, r.Path()); !slices.Equal(got, want) || !strings.HasPrefix(r.Path(), recordsDir()) {
		t.Errorf("%s has %q, want %q", r.Path(), got, want)
	}
	if moved := r.Moved(); moved == nil || strings.Count(moved.Error(), "was removed") != 3 {
		t.Errorf("%v", moved)
	}
}

// TestChecksAreRare: between two lines that follow at once no file is looked for.
func TestChecksAreRare(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	o, err := CreateBeside(path)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1, 0)
	o.now = func() time.Time { return now }
	for i, want := range []int{0, 0, 1} {
		if _, err := o.Write([]byte("line\n")); err != nil {
			t.Fatal(err)
		}
		if len(o.moves) != want {
			t.Errorf("after %d lines %q", i+1, o.moves)
		}
		if i == 0 && runtime.GOOS != "windows" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		now = now.Add(checkEvery / 2)
		if runtime.GOOS == "windows" {
			break
		}
	}
	if err := o.Close(true); err != nil {
		t.Fatal(err)
	}
}

// TestResumedMeddling: a record that is resumed and then truncated keeps its head, which
// says what is measured.
func TestResumedMeddling(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	r, err := OpenRecorder(path, 1, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	fork := &record.Fork{ID: 1, Case: 1, Bin: 1, Purpose: record.PurposeTiming, State: record.StateOK}
	for _, l := range []record.Line{&record.Run{Kind: record.KindBench, Start: time.Unix(1, 0)}, &record.Bin{ID: 1}, &record.Case{ID: 1, Bin: 1}, fork} {
		if err := r.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(false); err != nil {
		t.Fatal(err)
	}
	r, err = ResumeRecorder(path, func(_ string, _ record.Line, err error) error { return err })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Replay(func(record.Line) {}); err != nil {
		t.Fatal(err)
	}
	if err := r.Write(&record.Fork{ID: 2, Case: 1, Bin: 1, Purpose: record.PurposeTiming, State: record.StateOK}); err != nil {
		t.Fatal(err)
	}
	if r.Moved() != nil || r.Path() != path {
		t.Fatalf("%v: the file was not changed", r.Moved())
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(true); err != nil {
		t.Fatal(err)
	}
	if got := lineKinds(t, r.Path()); !slices.Equal(got, []string{"run", "case", diagnosis.RecordLost}) || r.Path() == path {
		t.Errorf("%s has %q", r.Path(), got)
	}
	if moved := r.Moved(); moved == nil || !strings.Contains(moved.Error(), "2 of its lines are lost") {
		t.Errorf("%v", moved)
	}
}

// TestOldStays: a complete run in which nothing was measured replaces no record, and a
// run that is refused because another one writes the record removes nothing.
func TestOldStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte("older"), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := OpenRecorder(path, 1, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if second, err := OpenRecorder(path, 1, time.Now()); err == nil && runtime.GOOS != "windows" {
		t.Error("two write one record")
	} else {
		second.Discard()
	}
	if _, err := os.Stat(path + tempdir.PartialSuffix); err != nil {
		t.Error(err)
	}
	for _, l := range []record.Line{&record.Run{Kind: record.KindBench, Start: time.Unix(1, 0)}, &record.Case{ID: 1}, &record.End{State: record.EndCompleted}} {
		if err := r.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(true); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "older" || r.Path() != path+tempdir.PartialSuffix {
		t.Errorf("%s holds %q", path, text)
	}
}
