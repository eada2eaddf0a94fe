package session

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/record"
)

var testForms = map[string]string{".txt": "text", ".json": "json", ".trace.json": "events"}

func TestNewExporter(t *testing.T) {
	dir := t.TempDir()
	in := func(names ...string) (out []string) {
		for _, n := range names {
			if n != "" && n != "-" {
				n = filepath.Join(dir, n)
			}
			out = append(out, n)
		}
		return out
	}
	for _, c := range []struct {
		paths   []string
		records string
		files   []File
		bad     string
	}{
		{in("", "-"), "", nil, ""},
		{in("a.jsonl"), in("a.jsonl")[0], nil, ""},
		{in("a"), in("a")[0], nil, ""},
		{in("a.TXT", "b.json", "c.trace.json"), "", []File{{in("a.TXT")[0], "text"}, {in("b.json")[0], "json"}, {in("c.trace.json")[0], "events"}}, ""},
		{in("a.jsonl", "b.jsonl"), "", nil, "already"},
		{in("a.txt", "a.txt"), "", nil, "twice"},
		{in("a.xls"), "", nil, "no format is known"},
		{in("no/a.txt"), "", nil, "no such file"},
	} {
		e, err := NewExporter(c.paths, testForms)
		if c.bad != "" {
			if x := exit.As(err); x == nil || x.Code != exit.Misuse || !strings.Contains(err.Error(), c.bad) {
				t.Errorf("%q: %v, want %q", c.paths, err, c.bad)
			}
			continue
		}
		if err != nil || e.Records != c.records || !reflect.DeepEqual(e.Files, c.files) {
			t.Errorf("%q: %+v, %v", c.paths, e, err)
		}
	}
}

// TestExport: a file that cannot be written does not keep the others from it, and
// an existing file is kept where its result fails.
func TestExport(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.json")
	if err := os.WriteFile(bad, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	e, err := NewExporter([]string{bad, good}, testForms)
	if err != nil {
		t.Fatal(err)
	}
	err = e.Export("the record", func(w io.Writer, format string) error {
		io.WriteString(w, format)
		if format == "json" {
			return errors.New("not a number")
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "not a number") || exit.As(err).Hint != "the records are in the record" {
		t.Errorf("%v", err)
	}
	for path, want := range map[string]string{good: "text", bad: "before"} {
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Errorf("%s holds %q, want %q", path, got, want)
		}
	}
}

// TestRecorder: an existing file is replaced only by a complete record; a file
// to which nothing was written is removed.
func TestRecorder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl")
	open := func() *Recorder {
		t.Helper()
		r, err := OpenRecorder(path, 1, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := open()
	r.Discard()
	if _, err := os.Stat(path); err == nil {
		t.Error("an empty record stays")
	}
	write := func(r *Recorder, why string, complete bool) {
		t.Helper()
		fork := &record.Fork{ID: 1, Purpose: record.PurposeTiming, State: record.StateOK}
		for _, l := range []record.Line{&record.Run{Version: record.Version}, fork, &record.End{Why: why}} {
			if err := r.Write(l); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Close(complete); err != nil {
			t.Fatal(err)
		}
	}
	write(open(), "first", true)
	write(open(), "second", false)
	if text, _ := os.ReadFile(path); !strings.Contains(string(text), "first") {
		t.Errorf("a partial record has replaced a complete one: %s", text)
	}
	any := func(_ string, _ record.Line, err error) error { return err }
	again, err := ResumeRecorder(path+tempdir.PartialSuffix, any)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ResumeRecorder(path+tempdir.PartialSuffix, any); err == nil {
		t.Error("two write one record")
	}
	n := 0
	if cut, err := again.Replay(func(record.Line) { n++ }); err != nil || n != 3 || cut != 0 {
		t.Errorf("%d lines, %d bytes cut, %v", n, cut, err)
	}
	write(again, "third", true)
	if text, _ := os.ReadFile(path); again.Path() != path || !strings.Contains(string(text), "third") {
		t.Errorf("%s holds %s", again.Path(), text)
	}
}
