package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/suites/published"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample is what one fork of the made-up record reports in each window.
type sample struct {
	cache   string
	ops     float64 // op/s of the first fork; each later one has a percent more
	entries float64
	heap    float64
}

// equal makes a record of the comparison at equal memory out of one of ReadThrough. Every cache has what would be held
// twice over, and the same peak.
func equal(in []byte) []byte {
	out := bytes.ReplaceAll(in, []byte("ReadThrough/entries=120000"), []byte("EqualMemory/budget=100MB"))
	out = bytes.ReplaceAll(out, []byte(`{"k":"entries","v":"120000"}`), []byte(`{"k":"budget","v":"100MB"}`))
	out = bytes.Replace(out, []byte(`"prof":["mem"],`), nil, 1)
	return bytes.ReplaceAll(out, []byte(`"miss-ns":1400`), []byte(`"miss-ns":1400,"capacity":240000,"peak-RSS-B":99500000`))
}

// recordOf makes a record of n timed forks and as many for memory of each cache.
func recordOf(t *testing.T, n int, load float64, xs []sample) []byte {
	t.Helper()
	var out bytes.Buffer
	w := record.NewWriter(&out)
	put := func(l record.Line) {
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	put(&record.Run{
		Tare: "v0.0.1", Start: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Dir: "/home/somebody/secret", Command: []string{"/home/somebody/tare", "bench", "-o", "/home/somebody/x.jsonl"},
		Sides:  []record.Side{{Name: "new", Revision: "0123abc"}},
		Config: record.Config{Forks: n, Prof: []string{"mem"}, ProfForks: n, Warmup: 1, Iterations: 2, Time: 100 * time.Millisecond, MemoryLimit: "1GiB"},
		Env:    record.Env{OS: "linux", Arch: "amd64", CPU: "A CPU", Cores: 2, Memory: 8e9, Kernel: "6.1", Go: "go1.26", GOMAXPROCS: 2},
	})
	put(&record.Bin{ID: 1, Pkg: "caches", Dir: "/home/somebody/secret"})
	for i, x := range xs {
		name := "ReadThrough/entries=120000/keys=1200000/workers=2/cache=" + x.cache
		put(&record.Case{ID: i + 1, Bin: 1, Name: name, Params: record.ParseName(name), Procs: 2})
	}
	put(&record.Case{ID: 99, Bin: 1, Name: "Keys", Procs: 2})
	put(&record.Overhead{Load: load, Steal: 0.001})
	id := 0
	for round := range n {
		for _, purpose := range []string{record.PurposeTiming, "mem"} {
			for i, x := range xs {
				id++
				v := record.Values{
					{Unit: "op/s", Value: x.ops * (1 + float64(round)/100)}, {Unit: "hit-%", Value: 77}, {Unit: "entries", Value: x.entries},
					{Unit: "miss-ns", Value: 1400}, {Unit: "B/op", Value: 8}, {Unit: "allocs/op", Value: 0.25},
				}
				if purpose == "mem" {
					v[0].Value, v[4].Value = 1, 1e9 // disturbed: not to be used
					v = append(v, record.Value{Unit: "usedHeap_returned-B", Value: x.heap + 2e5 + float64(round)},
						record.Value{Unit: "usedHeap_baseline-B", Value: 2e5}, record.Value{Unit: "VmHWM-B", Value: 2*x.heap + float64(1000*round)})
				}
				put(&record.Sample{Fork: id, Iter: 1, Phase: record.PhaseWarmup, V: record.Values{{Unit: "op/s", Value: 1e12}}})
				put(&record.Sample{Fork: id, Iter: 2, Phase: record.PhaseMeasure, Ops: 1, V: v})
				put(&record.Sample{Fork: id, Iter: 3, Phase: record.PhaseMeasure, Ops: 1, V: v})
				put(&record.Fork{ID: id, Case: i + 1, Bin: 1, Round: round + 1, Order: id, Purpose: purpose, State: record.StateOK})
			}
		}
	}
	id++
	put(&record.Attach{Fork: id, Iter: 2, Name: record.AttachHeap, Media: "application/json", Data: []byte(
		`{"when":"mid-run","rate":512,"growth":9700000,"bytes":10000000,"objects":120000,"sites":[` +
			`{"func":"f","file":"/home/somebody/secret/f.go","type":"otter.node[int,int]","bytes":6000000,"objects":100000},{"func":"h","bytes":1000000,"objects":1000},` +
			`{"func":"g","type":"otter.node[int,int]","bytes":2000000,"objects":19000}],"rest":{"bytes":1000000,"objects":0}}`)})
	put(&record.Fork{ID: id, Case: 1, Bin: 1, Purpose: "heap", State: record.StateOK})
	id++
	put(&record.Fork{ID: id, Case: 1, Bin: 1, Purpose: record.PurposeTiming, State: record.StateFailed})
	put(&record.Warn{About: record.AboutCase, ID: 1, Code: "setup", Text: "start and set-up take 70 % of a fork"})
	put(&record.Warn{About: record.AboutFork, ID: 2, Code: "setup", Text: "start and set-up take 75 % of a fork"})
	put(&record.End{State: record.EndCompleted})
	return out.Bytes()
}

func samples() []sample {
	return []sample{
		{"otter", 1.00e6, 120_000, 10e6},
		{"bigcache", 1.05e6, 118_784, 6e6}, // overlaps with otter
		{"theine", 2e6, 119_990, 16e6},
		{"map", 5e6, 400_000, 20e6},
		{"none", 20e6, 1_200_000, 9.6e6},
	}
}

func TestGolden(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "out")
	for _, text := range [][]byte{recordOf(t, 12, 1.5, samples()), equal(recordOf(t, 12, 0, samples()[:3]))} {
		if err := os.WriteFile(in, text, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := run([]string{"-o", out, in}, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"scaled.md", "scaled-throughput.svg", "scaled-heap.svg", "scaled-peak.svg", "equal-100MB.md", "equal-100MB-hits.svg"} {
		got, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(golden, got, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatalf("%v (run go test -update)", err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs; got\n%s", name, got)
		}
	}
}

// TestClean: the copy of the record has the same results and no directories.
func TestClean(t *testing.T) {
	in := recordOf(t, 12, 0, samples())
	var out bytes.Buffer
	if err := published.Clean(&out, bytes.NewReader(in), "in"); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(out.Bytes(), []byte("somebody")) {
		t.Errorf("a directory is left:\n%s", out.Bytes()[:1000])
	}
	a, err := read(bytes.NewReader(in), "in")
	if err != nil {
		t.Fatal(err)
	}
	b, err := read(&out, "out")
	if err != nil {
		t.Fatal(err)
	}
	var x, y bytes.Buffer
	a.markdown(&x)
	b.markdown(&y)
	if x.String() != y.String() {
		t.Errorf("the copy says\n%s\nand not\n%s", &y, &x)
	}
}

// TestFigures: forks that were timed and forks for memory each give their own units,
// and what is derived is derived in each fork.
func TestFigures(t *testing.T) {
	r, err := read(bytes.NewReader(recordOf(t, 12, 0, samples())), "in")
	if err != nil {
		t.Fatal(err)
	}
	x := r.rows[1] // otter: bigcache is before it
	for unit, want := range map[string]float64{"op/s": 1.055e6, "B/op": 8, heapUnit: 10e6 + 5.5, perEntryUnit: (10e6 + 5.5) / 120_000} {
		if f := x.figure(unit); math.Abs(f.Median-want) > 1e-9*want || len(x.values[unit]) != 12 {
			t.Errorf("%s: %v over %d forks, want %v over 12", unit, f.Median, len(x.values[unit]), want)
		}
	}
	if f := r.rows[0]; x.forks != 12 || f.failed != 0 || x.failed != 1 {
		t.Errorf("%d forks of otter, %d failed", x.forks, x.failed)
	}
}

// TestSeparated: caches whose intervals overlap are never ordered, and what is no
// cache not at all.
func TestSeparated(t *testing.T) {
	for _, c := range []struct {
		forks int
		want  string
	}{
		{12, "[theine: faster than bigcache, otter]"},
		{5, "[]"}, // too few for an interval
	} {
		r, err := read(bytes.NewReader(recordOf(t, c.forks, 0, samples())), "in")
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.separated(metrics[0])); got != c.want {
			t.Errorf("%d forks: %s, want %s", c.forks, got, c.want)
		}
	}
}

// TestSides: a record with two sides becomes ratios, cache by cache.
func TestSides(t *testing.T) {
	var a, b, out bytes.Buffer
	in := string(recordOf(t, 12, 0, samples()[:2]))
	in = strings.Replace(in, `"sides":[{"name":"new","revision":"0123abc"}]`, `"sides":[{"name":"old","setenv":["X=1"]},{"name":"new"}]`, 1)
	in = strings.Replace(in, `{"k":"case","id":1,`, `{"k":"case","id":1,"side":"old",`, 1)
	in = strings.Replace(in, `{"k":"case","id":2,`, `{"k":"case","id":2,"side":"new",`, 1)
	in = strings.ReplaceAll(in, "bigcache", "otter") // which is then 5 % faster in new
	r, err := read(strings.NewReader(in), "in")
	if err != nil {
		t.Fatal(err)
	}
	if of := r.sides(); r.name != "scaled-old-new" || len(of) != 1 || of[0][0].side != "old" || of[0][1].side != "new" {
		t.Fatalf("%s: sides %v", r.name, of)
	}
	r.markdown(&a)
	for _, want := range []string{"* old (`X=1`)", "| otter | 8.00 | 8.00 | 1.000", "**0.600 (0.600 … 0.600)**"} {
		if !strings.Contains(a.String(), want) {
			t.Errorf("no %q in\n%s", want, &a)
		}
	}
	if err := published.Clean(&out, strings.NewReader(in), "in"); err != nil {
		t.Fatal(err)
	}
	again, err := read(&out, "out")
	if err != nil {
		t.Fatal(err)
	}
	if again.markdown(&b); a.String() != b.String() {
		t.Errorf("the copy says\n%s", &b)
	}
}

// TestRatioToZero: a side is not divided by a base of zero.
func TestRatioToZero(t *testing.T) {
	of := func(x float64) *row { return &row{values: map[string][]float64{"B": {x, x, x, x, x, x, x}}} }
	for _, c := range []struct {
		old, new float64
		want     string
	}{{0, 0, "–"}, {0, 5, "–"}, {5, 10, "**2.000 (2.000 … 2.000)**"}} {
		if got := ratio(of(c.old), of(c.new), "B"); got != c.want {
			t.Errorf("%g to %g: %q, want %q", c.new, c.old, got, c.want)
		}
	}
}

// TestHeaps: heap contents by type may be read from a second record.
func TestHeaps(t *testing.T) {
	in := recordOf(t, 12, 0, samples())
	plain := []byte(strings.ReplaceAll(string(in), `"name":"`+record.AttachHeap+`"`, `"name":"other"`))
	dir := t.TempDir()
	for name, text := range map[string][]byte{"plain.jsonl": plain, "heaps.jsonl": in} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := run([]string{"-o", dir, "-heaps", path("heaps.jsonl"), path("plain.jsonl")}, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(path("scaled.md"))
	if err != nil || !bytes.Contains(table, []byte("otter.node[int,int]")) {
		t.Errorf("%v; no heap in\n%s", err, table)
	}
	if _, err := os.Stat(path("scaled-heaps.jsonl")); err != nil {
		t.Error(err)
	}
	err = run([]string{"-o", dir, "-heaps", path("plain.jsonl"), path("plain.jsonl")}, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "no heap in it") {
		t.Errorf("error %v", err)
	}
}

func TestReadErrors(t *testing.T) {
	other := strings.ReplaceAll(string(recordOf(t, 1, 0, samples())), "cache=otter", "cache=unheard")
	other = strings.ReplaceAll(other, `"v":"otter"`, `"v":"unheard"`)
	mixed := strings.Replace(string(recordOf(t, 1, 0, samples())), `{"k":"entries","v":"120000"}`, `{"k":"entries","v":"7"}`, 1)
	for text, want := range map[string]string{
		other:                          "knows no such cache",
		mixed:                          "another size",
		"not a record":                 "not a record",
		string(recordOf(t, 1, 0, nil)): "no results of this suite",
	} {
		if _, err := read(strings.NewReader(text), "in"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
