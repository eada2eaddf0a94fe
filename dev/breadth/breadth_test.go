//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestReadEvents: a benchmark has a result if its figures follow its name, also in several pieces.
func TestReadEvents(t *testing.T) {
	x := readEvents(strings.NewReader(`{"Action":"start","Package":"p"}
{"Action":"output","Package":"p","Output":"goos: linux\n"}
{"Action":"run","Test":"BenchmarkA/x"}
{"Action":"output","Test":"BenchmarkA/x","Output":"=== RUN   BenchmarkA/x\n"}
{"Action":"output","Test":"BenchmarkA/x","Output":"BenchmarkA/x-2   \t"}
{"Action":"output","Test":"BenchmarkA/x","Output":"       1\t       801.0 ns/op\n"}
{"Action":"output","Test":"BenchmarkNoTime","Output":"BenchmarkNoTime-2 \t       1\t         5.000 widgets\n"}
{"Action":"output","Test":"BenchmarkParent","Output":"BenchmarkParent\n"}
{"Action":"output","Test":"BenchmarkBad","Output":"    b_test.go:3: no\n"}
{"Action":"fail","Test":"BenchmarkBad"}
{"Action":"output","Test":"","Output":"FAIL\n"}
{"Action":"fail","Package":"p"}
`))
	if !slices.Equal(x.Names, []string{"A/x", "NoTime"}) || x.Failed["Bad"] == "" || x.State != failed || x.Why != "FAIL" {
		t.Errorf("%+v", x)
	}
	x = readEvents(strings.NewReader(`{"Action":"build-output","Output":"# p\n"}
{"Action":"build-output","Output":"./x.go:1: oops\n"}
{"Action":"build-fail"}
{"Action":"fail","Package":"p"}
`))
	if x.State != unbuilt || x.Why != "./x.go:1: oops" {
		t.Errorf("%+v", x)
	}
}

// TestCompare: each way in which two runs may differ is said as itself.
func TestCompare(t *testing.T) {
	r := &result{
		Plain: outcome{State: completed, Names: []string{"A", "B", "Lost"}, Failed: map[string]string{"F": "failed"}},
		Tare:  outcome{State: completed, Names: []string{"A", "New"}, Failed: map[string]string{"B": "exit 2", "F": "failed", "G": "failed"}},
	}
	r.compare(func(name string) bool { return name == "G" })
	if !slices.Equal(r.Missing, []string{"Lost"}) || !slices.Equal(r.Extra, []string{"New"}) || !slices.Equal(r.Fails, []string{"B"}) ||
		!slices.Equal(r.Alone, []string{"G"}) || r.both() != 2 || r.failBoth() != 2 {
		t.Errorf("%+v", r)
	}
	r = &result{Plain: outcome{State: failed, Names: []string{"A"}}, Tare: outcome{State: completed, Names: []string{"A", "Behind"}}}
	r.compare(nil)
	if len(r.Extra) != 0 || r.differs() != "" {
		t.Errorf("go test came to no end, and %+v", r)
	}
	r = &result{Plain: outcome{State: completed, Names: []string{"A"}}, Tare: outcome{State: overLimit}}
	r.compare(nil)
	if len(r.Missing) != 0 || r.differs() != "tare over the limit" {
		t.Errorf("%+v", r)
	}
}

// TestReadRecord: what was measured after it had failed once has not failed.
func TestReadRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.jsonl")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w := record.NewWriter(f)
	for _, l := range []record.Line{
		&record.Run{},
		&record.Case{ID: 1, Name: "A"}, &record.Case{ID: 2, Name: "B"}, &record.Case{ID: 3, Name: "C"},
		&record.Fork{ID: 1, Case: 1, Purpose: record.PurposePilot, State: record.StateFailed, Why: "once"},
		&record.Fork{ID: 2, Case: 1, Purpose: record.PurposeTiming, State: record.StateOK},
		&record.Fork{ID: 3, Case: 2, Purpose: record.PurposePilot, State: record.StateOK},
		&record.Fork{ID: 4, Case: 3, Purpose: record.PurposeTiming, State: record.StateFailed, Why: "exit status 2"},
	} {
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	x, err := readRecord(file)
	if err != nil || !slices.Equal(x.Names, []string{"A"}) || len(x.Failed) != 1 || x.Failed["C"] != "exit status 2" {
		t.Errorf("%+v, %v", x, err)
	}
}

// TestReadList: names and failures, of the package alone.
func TestReadList(t *testing.T) {
	x := readList("p A\np B/x=1\np C: fails: exit status 2\nother line\n", "p")
	if !slices.Equal(x.Names, []string{"A", "B/x=1"}) || len(x.Failed) != 1 || x.Failed["C"] != "exit status 2" {
		t.Errorf("%+v", x)
	}
}

// TestResults: results come back from their directory, the standard library's first, and make the tables of a page.
func TestResults(t *testing.T) {
	dir := t.TempDir()
	for _, r := range []*result{
		{Module: "a.com/m", Version: "v1.2.3", Package: "a.com/m/p", Go: "go1.26.8",
			Plain: outcome{State: completed, Names: []string{"A", "B"}, Seconds: 61},
			Tare:  outcome{State: completed, Names: []string{"A"}, Seconds: 120}, Missing: []string{"B"}},
		{Module: std, Package: "sort", Go: "go1.26.8", Plain: outcome{State: completed, Names: []string{"S"}}, Tare: outcome{State: completed, Names: []string{"S"}}},
	} {
		if err := r.write(dir); err != nil {
			t.Fatal(err)
		}
		if !isKnown(dir, r.pkg()) {
			t.Errorf("%s is not known", r.Package)
		}
	}
	results, err := readResults(dir)
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "page.md")
	if err := os.WriteFile(page, []byte("a\n<!-- breadth: begin -->\nold\n<!-- breadth: end -->\nb\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := updatePage(page, tables(results)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(strings.Fields(string(text)), " ")
	for _, want := range []string{
		"a <!-- breadth: begin -->", "<!-- breadth: end --> b", "| standard library, go1.26.8 | 1 | 0 | 1 | 1 | 0 | 0 |", "| a.com/m v1.2.3 | 1 | 0 | 2 | 1 | 1 | 0 | 0 | 0 | 0 | 1m1s | 2m0s |",
		"| all | 2 | 0 | 3 | 2 | 1 |", "| a.com/m/p | 1 missing (B) |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(got, "old") || strings.Index(got, "standard") > strings.Index(got, "a.com") {
		t.Errorf("%s", text)
	}
}

// TestPackages: packages are found by the benchmarks in their test files, not by names that only begin so.
func TestPackages(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":        "module m\n\ngo 1.26\n",
		"a/a_test.go":   "package a\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) {}\nfunc BenchmarkB(b *testing.B) {}\n",
		"b/b_test.go":   "package b\n\nimport \"testing\"\n\nfunc Benchmarker(b *testing.B) {}\nfunc BenchmarkHelp(t *testing.T) {}\n",
		"a/x/y_test.go": "package x_test\n\nimport \"testing\"\n\nfunc Benchmark(b *testing.B) {}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := module{path: "m", dir: dir}.packages(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].importPath != "m/a" || got[0].functions != 2 || got[1].importPath != "m/a/x" {
		t.Errorf("%+v", got)
	}
}

// TestChosen: -only names packages by how they begin, and so the modules that hold them.
func TestChosen(t *testing.T) {
	o := options{only: "std/net,github.com/rs/zerolog/hlog"}
	for label, want := range map[string]bool{
		"std": true, "std/net/http": true, "std/sort": false, "github.com/rs/zerolog": true, "github.com/rs/zerolog/hlog": true, "github.com/rs": true, "github.com/rs/x": false,
	} {
		if o.chosen(label) != want {
			t.Errorf("%s: %v", label, !want)
		}
	}
	if got := alone("A.b/c+d"); got != `^BenchmarkA\.b$/^c\+d$` {
		t.Errorf("alone is %s", got)
	}
}
