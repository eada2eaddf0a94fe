package selftest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/numbers/aatest"
	"github.com/tarebench/tare/internal/show/textpage"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// results reads results that the tests of package aatest have written.
func results[T any](t *testing.T, name string) (r T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../../numbers/aatest/testdata", name+".json"))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGolden: the whole text as people see it.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name, of string
		o        textpage.Options
	}{
		{"fit", "fit", textpage.Options{UTF8: true}}, {"fit-short", "fit", textpage.Options{UTF8: true}},
		{"fit-ascii", "fit", textpage.Options{}}, {"fit-60", "fit", textpage.Options{UTF8: true, Width: 60}},
		{"unfit", "unfit", textpage.Options{UTF8: true}}, {"partial", "partial", textpage.Options{UTF8: true}},
	} {
		write := Text
		if c.name == "fit-short" {
			write = Summary
		}
		var b bytes.Buffer
		if err := write(&b, results[*aatest.Result](t, c.of), c.o); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", c.name+".txt")
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s:\n%s\nwant\n%s", path, b.String(), want)
		}
		for line := range strings.Lines(b.String()) {
			if n := termtext.Width(strings.TrimSuffix(line, "\n")); n > termtext.Columns(c.o.Width) {
				t.Errorf("%s: %d columns: %s", path, n, line)
			}
		}
	}
}

// TestFailed: a benchmark that fails is named with its last output, which no terminal obeys.
func TestFailed(t *testing.T) {
	var b strings.Builder
	if err := Text(&b, results[*aatest.Result](t, "failed"), textpage.Options{UTF8: true}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `failed: sim Bad: 4 processes: panic: \x1b[31mboom`) || strings.Contains(b.String(), "\x1b") {
		t.Error(b.String())
	}
}

// TestDegenerate: nothing panics, and nothing is made up.
func TestDegenerate(t *testing.T) {
	says := map[string]string{
		"no process":     "no window",
		"only the head":  "verdict: none: too few windows (0 of 40)",
		"all equal":      "smallest change found 8 times of 10: 0.0 %",
		"zeros":          "no window",
		"NaN":            "no window",
		"infinite":       "no window",
		"negative":       "no window",
		"no ns/op":       "no window",
		"one side":       "no window",
		"no samples":     "no window",
		"no end":         "partial: the record was cut off before the run's end",
		"strange rounds": "no window",
		"unknown case":   "no window",
		"unknown side":   "no window",
	}
	for _, x := range results[[]struct {
		Name   string
		Result *aatest.Result
	}](t, "degenerate") {
		var b strings.Builder
		if err := Text(&b, x.Result, textpage.Options{UTF8: true}); err != nil || says[x.Name] == "" || !strings.Contains(b.String(), says[x.Name]) {
			t.Errorf("%s: want %q: %v\n%s", x.Name, says[x.Name], err, &b)
		}
		if err := Summary(&b, x.Result, textpage.Options{}); err != nil {
			t.Error(err)
		}
		delete(says, x.Name)
	}
	if len(says) > 0 {
		t.Errorf("not tested: %v", says)
	}
}
