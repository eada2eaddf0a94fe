//go:build unix

package main

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
)

// TestRows: names are unique and short enough for files, and each row has an aim that the moonshot exceeds.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rows() {
		if seen[r.name] || r.reach <= 0 || (r.moonshot > r.reach) != r.more || (r.build == nil) != (r.bench != "") {
			t.Errorf("%+v", r)
		}
		seen[r.name] = true
	}
}

// TestRatio: the ratio is that of forks of one round.
func TestRatio(t *testing.T) {
	f, err := ratioOf([]result.Number{2, 4, 6, 8, 10, 12}, []result.Number{1, 2, 3, 4, 5, 6})
	if err != nil || f.value != 2 || f.lo != 2 || f.hi != 2 {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err := ratioOf([]result.Number{3}, []result.Number{1}); err != nil || f.value != 3 || !math.IsNaN(f.lo) {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestPage: the table is put between the marks, and says what was reached and what was not measured.
func TestPage(t *testing.T) {
	text := table("here", []bound{{name: "a wake-up", figure: figure{117_034, 99_500, 120_000, "late-ns"}}}, []measured{
		{row: row{name: "loop", reach: 1.1, moonshot: 1, anchor: "a loop", bound: "a branch"}, figure: figure{1.05, 1.02, 1.08, "x-range"}},
		{row: row{name: "size", reach: 18, moonshot: 12}, figure: figure{20.6, math.NaN(), math.NaN(), "MB"}},
		{row: row{name: "gone", reach: 1, moonshot: 0.5}, err: errors.New("no benchmark")},
	})
	for _, want := range []string{"| loop | 1.05 × (1.02 … 1.08) | 1.1 ×, reached | 1 × | a loop | a branch |", "| size | 20.6 MB | 18 MB |", "| gone | not measured |", "| a wake-up | 117 µs (99.5 … 120) |"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	path := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(path, []byte("head\n<!-- limits: begin -->\nold\n<!-- limits: end -->\ntail\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := put(path, text); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); !strings.Contains(string(got), text) || strings.Contains(string(got), "old") {
		t.Errorf("%s", got)
	}
}

// TestSentences: the README has the figures that were measured.
func TestSentences(t *testing.T) {
	got := sentences([]measured{
		{row: row{says: "a loop takes %s of another"}, figure: figure{1.05, 1.02, 1.08, "x-range"}},
		{row: row{says: "nothing takes %s"}, err: errors.New("no benchmark")},
		{row: row{}, figure: figure{1, 1, 1, "s"}},
		{row: row{says: "it has %s"}, figure: figure{20.6, math.NaN(), math.NaN(), "MB"}},
	})
	if want := "* a loop takes 1.05 × (1.02 … 1.08) of another;\n* it has 20.6 MB.\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRatioIn: the ratio and its interval are read from a table, and a table without them is an error.
func TestRatioIn(t *testing.T) {
	const table = "text\n\n| | CPU | to vegeta | 95 % interval |\n|---|--:|--:|--:|\n| tare, hybrid | 87.5 | 1.24 | 1.15 to 1.31 |\n| tare, sleep | 61.8 | 0.87 | 0.77 to 0.96 | 9989 |\n"
	if f, err := ratioIn(table, "tare, sleep"); err != nil || f.value != 0.87 || f.lo != 0.77 || f.hi != 0.96 {
		t.Errorf("%+v, %v", f, err)
	}
	for _, bad := range []string{"", "| tare, sleep | 61.8 | – | 1 to 2 |\n", "| tare, sleep | 61.8 | 0.87 | too few rounds |\n"} {
		if f, err := ratioIn(bad, "tare, sleep"); err == nil {
			t.Errorf("%q gave %+v", bad, f)
		}
	}
}

// TestFilter: a benchmark is chosen by its name and all its parameters.
func TestFilter(t *testing.T) {
	if got, want := filterOf(onSuite("Throughput", "queue=xsync.MPMC/batch=1")), "(.name:Throughput /capacity:1024 /elem:ptr /queue:xsync.MPMC /batch:1)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestRoles: the figure of a role is read from a result of that role, or from a metric whose name begins with it.
func TestRoles(t *testing.T) {
	r := row{role: "consumer", metric: "op/s", of: "Go", over: "Java", more: true}
	rows := &result.Result{Results: []result.Benchmark{
		{Name: "Go", Role: "producer", Forks: 2, Unit: "op/s", Values: []result.Number{1, 1}},
		{Name: "Go", Role: "consumer", Forks: 2, Unit: "op/s", Values: []result.Number{6, 8}},
		{Name: "Java", Unit: "ns/op", Values: []result.Number{9, 9}, Metrics: result.Metrics{{Unit: "consumer-op/s", Values: []result.Number{3, 4}}}},
	}}
	if f, err := r.read(rows); err != nil || f.value != 2 {
		t.Errorf("%+v, %v; want 2", f, err)
	}
	r.metric = "B/op"
	if _, err := r.read(rows); err == nil {
		t.Error("a metric that was not reported has a value")
	}
}

// TestFlags: wrong flags are refused before anything is built, and pages are not written from some rows.
func TestFlags(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	for _, args := range [][]string{{"-only", "no such row"}, {"-only", "("}, {"loop"}, {"-only", "size", "-page", page}, {"-only", "size", "-readme", page}} {
		out := filepath.Join(t.TempDir(), "records")
		if err := run(t.Context(), append([]string{"-out", out}, args...), io.Discard); err == nil {
			t.Errorf("%q was accepted", args)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%q made a directory", args)
		}
	}
	if chosen, err := choose("probe, counted|size"); err != nil || len(chosen) != 2 {
		t.Errorf("%d rows, %v; want 2", len(chosen), err)
	}
}

// TestFailed: the error names the rows without a figure.
func TestFailed(t *testing.T) {
	done := []measured{{row: row{name: "a"}}, {row: row{name: "b"}, err: errors.New("no")}}
	if err := failed(done); err == nil || !strings.Contains(err.Error(), "b") {
		t.Errorf("%v", err)
	}
	if err := failed(done[:1]); err != nil {
		t.Error(err)
	}
}
