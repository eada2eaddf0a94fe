package main

import (
	"bytes"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

var update = flag.Bool("update", false, "write golden files anew")

// A fake is a benchmark of a record that never was: for each fork the distance in
// ns, and what it measured at it.
type fake struct {
	name  string
	role  string // of the sample; "": of the whole
	unit  string
	forks []measured
}

type measured struct{ before, after, value float64 }

// cores repeats values at near and far cores, with 1 % between forks.
func cores(near, far float64) []measured {
	var out []measured
	for i := range 10 {
		jitter := 1 + 0.001*float64(i)
		out = append(out, measured{40, 41, near * jitter}, measured{200, 210, far * jitter})
	}
	return out
}

func writeRecord(t *testing.T, fakes []fake) string {
	t.Helper()
	var out bytes.Buffer
	w := record.NewWriter(&out)
	write := func(l record.Line) {
		if err := w.Write(l); err != nil {
			t.Fatal(err)
		}
	}
	write(&record.Run{Tare: "test", Start: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Dir: "/secret",
		Command: []string{"/secret/tare", "bench", "-o", "/secret/x.jsonl"},
		Env:     record.Env{OS: "linux", Arch: "amd64", CPU: "one", Cores: 2, Go: "go1.26"}})
	write(&record.Overhead{Load: 0.1})
	fork := 0
	for i, f := range fakes {
		write(&record.Case{ID: i + 1, Name: f.name, Params: record.ParseName(f.name), Bin: 1, Procs: 2, Mode: record.ModeTime})
		for _, m := range f.forks {
			fork++
			line := record.Values{{Unit: lineAfter, Value: m.after}, {Unit: lineBefore, Value: m.before}, {Unit: "allocs/op", Value: 0}}
			own := record.Values{{Unit: f.unit, Value: m.value}}
			write(&record.Sample{Fork: fork, Iter: 1, Phase: record.PhaseWarmup, Role: f.role, V: record.Values{{Unit: f.unit, Value: 1e-9}}})
			if f.role == "" {
				line = append(line, own...)
			} else {
				write(&record.Sample{Fork: fork, Iter: 2, Phase: record.PhaseMeasure, Role: f.role, V: own})
			}
			write(&record.Sample{Fork: fork, Iter: 2, Phase: record.PhaseMeasure, V: line})
			write(&record.Fork{ID: fork, Case: i + 1, Bin: 1, Round: 1, Purpose: record.PurposeTiming, State: record.StateOK})
		}
	}
	write(&record.End{State: record.EndCompleted})
	name := filepath.Join(t.TempDir(), "ratios.jsonl")
	if err := os.WriteFile(name, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func fakes() []fake {
	stray := append(cores(24e6, 20e6),
		measured{40, 200, 1}, measured{9000, 40, 1}, measured{40, 5000, 1}) // must not count
	return []fake{
		{throughput("1to1", "channel", "own", 1), "consumer", "op/s", stray},
		{throughput("1to1", "SPSC", "backoff", 64), "consumer", "op/s", cores(24e6*40, 20e6*10)},
		{throughput("1to1", "SPSC", "backoff", 1), "consumer", "op/s", cores(24e6*5, 20e6*3)},
		{inJava("1to1", "SPSC", "poll", "spin"), "", "consumer-op/s", cores(700e6, 100e6)},
		{inJava("1to1", "SPSC", "ring-1", "spin"), "", "sender-ns/op", cores(200, 800)},
		{roundTrip(1, "SPSC", "spin", 1), "sender", "ns/op", cores(100, 700)},
		{roundTrip(1, "SPSC", "backoff", 1), "sender", "ns/op", cores(250, 900)},
		{"Memory/elem=ptr/queue=SPSC", "", "empty-B", []measured{{0, 0, 9000}, {0, 0, 9000}}},
	}
}

// TestDistance: what was measured at one distance does not touch the other, and what
// was measured at neither counts nowhere.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		want          distance
	}{
		{40, 41, near}, {109, 109, near}, {110, 110, far}, {200, 900, far}, {40, 200, between}, {200, 40, between},
		{40, 1001, wild}, {5000, 5000, wild}, {0, 40, unknown}, {0, 0, unknown},
	} {
		if got := distanceOf(c.before, c.after); got != c.want {
			t.Errorf("a line took %v ns before and %v after: %v, want %v", c.before, c.after, got, c.want)
		}
	}
	res, err := read([]string{writeRecord(t, fakes())})
	if err != nil {
		t.Fatal(err)
	}
	r := res.byName[throughput("1to1", "channel", "own", 1)]
	for d, want := range map[distance]struct {
		n      int
		median float64
	}{near: {10, 24e6 * 1.0045}, far: {10, 20e6 * 1.0045}, between: {1, 1}, wild: {2, 1}} {
		vs := r.values[d][rate]
		if len(vs) != want.n || math.Abs(stat.Median(vs)/want.median-1) > 1e-9 {
			t.Errorf("%v: %d forks with the median %v, want %d with %v", d, len(vs), stat.Median(vs), want.n, want.median)
		}
	}
}

// TestForkIsSample: windows of one fork are one value, at each distance that they
// were measured at.
func TestForkIsSample(t *testing.T) {
	r := newRow("x", nil)
	at := func(line, v float64) window { return window{lineBefore: line, lineAfter: line, rate: v} }
	r.addFork([]window{at(40, 1), at(40, 2), at(40, 9), at(200, 50)})
	if got := r.values[near][rate]; len(got) != 1 || got[0] != 2 {
		t.Errorf("near: %v, want the median alone, 2", got)
	}
	if got := r.values[far][rate]; len(got) != 1 || got[0] != 50 {
		t.Errorf("far: %v, want 50", got)
	}
}

// TestVerdict: an interval that contains the target decides nothing.
func TestVerdict(t *testing.T) {
	values := func(x float64) []float64 {
		var out []float64
		for i := range 10 {
			out = append(out, x*(1+0.01*float64(i)))
		}
		return out
	}
	for _, c := range []struct {
		own, rival, target float64
		most               bool
		want               string
	}{
		{300, 100, 2, false, "**reached**"}, {150, 100, 2, false, "missed"}, {200, 100, 2, false, "undecided"},
		{50, 100, 0.8, true, "**reached**"}, {95, 100, 0.8, true, "missed"}, {80, 100, 0.8, true, "undecided"},
		{300, 100, 0, false, ""},
	} {
		own := values(c.own)
		cmp := stat.Compare(values(c.rival), own, stat.Options{Resamples: -1})
		if got := (goal{target: c.target, most: c.most}).verdict(cmp); got != c.want {
			t.Errorf("%v against %v, target %v (most: %v): %q, want %q", c.own, c.rival, c.target, c.most, got, c.want)
		}
	}
	few := stat.Compare([]float64{1, 1.1}, []float64{9, 9.1}, stat.Options{Resamples: -1})
	if got := (goal{target: 2}).verdict(few); got != "too few forks" {
		t.Errorf("two forks: %q", got)
	}
}

// TestGolden holds the written pages to what is in testdata.
func TestGolden(t *testing.T) {
	res, err := read([]string{writeRecord(t, fakes())})
	if err != nil {
		t.Fatal(err)
	}
	var table, all bytes.Buffer
	res.ratios(&table)
	res.markdown(&all)
	golden(t, "ratios.md", table.Bytes())
	golden(t, "results.md", all.Bytes())
	for _, c := range res.charts() {
		if c.Name == "throughput-1to1-far" {
			var out bytes.Buffer
			if err := c.Bars.Write(&out); err != nil {
				t.Fatal(err)
			}
			golden(t, c.Name+".svg", out.Bytes())
			return
		}
	}
	t.Error("no chart of far cores")
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not as it was; got:\n%s", name, got)
	}
}

// TestFiles: a run of the command writes everything, names no directory, and can
// read what it has kept to the same effect.
func TestFiles(t *testing.T) {
	dir, readme := t.TempDir(), filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(readme, []byte("before\n"+beginMark+"\nold\n"+endMark+"\nafter\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := start([]string{"-o", dir, "-readme", readme, writeRecord(t, fakes())}, io.Discard, os.Stderr); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"before\n", "\nafter\n", "SPSC, batches of 64"} {
		if !strings.Contains(string(first), want) {
			t.Errorf("the README has no %q:\n%s", want, first)
		}
	}
	if strings.Contains(string(first), "\nold\n") {
		t.Error("the README still has what was there")
	}
	kept := filepath.Join(dir, "ratios.jsonl.gz")
	in, err := open(kept)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var plain bytes.Buffer
	if _, err := plain.ReadFrom(in); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(plain.String(), "secret") {
		t.Error("the record that was kept names a directory")
	}
	if err := start([]string{"-o", dir, "-readme", readme, kept}, io.Discard, os.Stderr); err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second) {
		t.Errorf("read again, it says\n%s", second)
	}
}

// TestBadInput: errors name what they are about.
func TestBadInput(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "names of records"},
		{[]string{"missing.jsonl"}, "missing.jsonl"},
		{[]string{empty}, "empty.jsonl"},
	} {
		if err := start(append([]string{"-o", t.TempDir()}, c.args...), io.Discard, os.Stderr); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want something with %q", c.args, err, c.want)
		}
	}
	if _, err := splice([]byte("no marks"), nil); err == nil {
		t.Error("a README without marks was written to")
	}
}

// TestNeeds: the filter has a term for each row that a ratio is made of.
func TestNeeds(t *testing.T) {
	var out bytes.Buffer
	if err := start([]string{"-needs"}, &out, os.Stderr); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"(.name:Throughput /capacity:1024 /elem:ptr /parties:1to1 /queue:SPSC /wait:backoff /batch:64)",
		"(.name:JCTools /capacity:1024 /elem:ptr /parties:1to1 /queue:SPSC /how:fill /wait:spin)",
		"(.name:RoundTrip /capacity:1024 /elem:ptr /burst:1 /queue:channel /wait:own /batch:1)",
		"(.name:Starved /capacity:1024 /elem:ptr /procs:cores /queue:Blocking /wait:park /batch:1)",
	} {
		if n := strings.Count(out.String(), want); n != 1 {
			t.Errorf("%q is in it %d times, want once:\n%s", want, n, &out)
		}
	}
}
