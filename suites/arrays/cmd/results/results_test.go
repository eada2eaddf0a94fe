package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/suites/arrays"
)

// written is a record of three benchmarks: one of them failed in all its forks, and
// one is not of this suite.
func written(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	w := record.NewWriter(&out)
	write := func(line record.Line) {
		if err := w.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	write(&record.Run{
		Tare: "v0.1.0", Start: time.Date(2026, 11, 22, 5, 0, 0, 0, time.UTC), Dir: "/home/somebody",
		Command: []string{"/home/somebody/tare", "bench", "-o", "/home/somebody/x.jsonl"},
		Config:  record.Config{Forks: 7, Iterations: 1, Time: time.Millisecond, Benchtime: "100x", Confidence: 0.95},
		Env:     record.Env{OS: "linux", Arch: "amd64", CPU: "a CPU", Cores: 2, Memory: 4e9, Go: "go1.26.8", GOMAXPROCS: 2},
	})
	write(&record.Bin{ID: 1, Pkg: "arrays", Dir: "/home/somebody/arrays"})
	for id, name := range map[int][3]string{1: {"32768", "clear", "byte"}, 2: {"1024", "copy", "int64"}, 3: {"1024", "sort", "int64"}} {
		write(&record.Case{ID: id, Pkg: "arrays", Name: "Arrays/size=" + name[0] + "/op=" + name[1] + "/type=" + name[2], Procs: 2, N: 10,
			Params: []record.Param{{Key: "size", Value: name[0]}, {Key: "op", Value: name[1]}, {Key: "type", Value: name[2]}}})
	}
	for fork := range 21 {
		id := fork%3 + 1
		ok := id != 2
		if ok {
			write(&record.Sample{Fork: fork + 1, Iter: 1, Phase: record.PhaseMeasure, Ns: 1000, Ops: 10,
				V: record.Values{{Unit: "ns/op", Value: 200 + float64(fork)}}})
		}
		state := record.StateOK
		if !ok {
			state = record.StateFailed
		}
		write(&record.Fork{ID: fork + 1, Case: id, Bin: 1, Round: fork/3 + 1, Purpose: record.PurposeTiming, State: state})
	}
	write(&record.Overhead{Load: 3})
	write(&record.End{State: record.EndCompleted})
	return out.Bytes()
}

func TestResults(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "x.jsonl")
	if err := os.WriteFile(in, written(t), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-o", dir, "-commit", "abc123", in}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(dir, "arrays.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| byte | 209 (20", "Revision: abc123", "windows of 100 operations", "a CPU, 2 cores, 4.0 GB", "**The machine was not quiet**", "| int64 | failed | – | – | – |"} {
		if !strings.Contains(string(table), want) {
			t.Errorf("the table does not hold %q:\n%s", want, table)
		}
	}
	for _, op := range arrays.Ops() {
		if titles[op] == "" {
			t.Errorf("the chart of %s has no title", op)
		}
		drawing, err := os.ReadFile(filepath.Join(dir, "arrays-"+op+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(drawing, new(struct{})); err != nil {
			t.Errorf("%s: no SVG: %v", op, err)
		}
	}
}

func TestNoResults(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{nil, {filepath.Join(dir, "none")}, {"-x"}, {empty}} {
		if err := run(args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

func TestCellNone(t *testing.T) {
	nan := &result.Benchmark{}
	nan.Median = result.Number(math.NaN())
	for _, x := range []*result.Benchmark{nil, {}, nan} {
		if got := cell(x); got != "–" {
			t.Errorf("%+v: %q", x, got)
		}
	}
}
