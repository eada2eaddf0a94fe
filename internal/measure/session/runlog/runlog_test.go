package runlog

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/numbers/conditions"
	"github.com/tarebench/tare/record"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// runs returns n runs of benchmark a, one each quarter of an hour, the last one a quarter of an hour before noon. Their
// medians alternate by 4 %.
func runs(n int, change func(*Entry)) []Entry {
	var out []Entry
	for i := range n {
		e := Entry{
			Time: noon.Add(-time.Duration(n-i) * 15 * time.Minute), Machine: "m", Conditions: conditions.Conditions{L3: 20},
			Benchmarks: []Median{{Name: "a", Bin: "x", Median: 100 + 4*float64(i%2)}},
		}
		if change != nil {
			change(&e)
		}
		out = append(out, e)
	}
	return out
}

// earlier returns the runs as made a day before.
func earlier(past []Entry) []Entry {
	for i := range past {
		past[i].Time = past[i].Time.AddDate(0, 0, -1)
	}
	return past
}

func now(names ...string) Entry {
	e := Entry{Time: noon, Machine: "m", Conditions: conditions.Conditions{L3: 20}}
	for i, n := range names {
		e.Benchmarks = append(e.Benchmarks, Median{Case: i + 1, Name: n, Bin: "x", Median: 102})
	}
	return e
}

func TestPredict(t *testing.T) {
	busy := func(e *Entry) { e.Loss = 0.4 }
	for what, tt := range map[string]struct {
		past          []Entry
		runs, seen    int
		known, approx bool
	}{
		"first run":                {nil, 0, 0, false, false},
		"four":                     {runs(4, nil), 4, 4, false, false},
		"five":                     {runs(5, nil), 5, 5, true, false},
		"busier":                   {runs(9, busy), 0, 9, false, false},
		"some busier":              {append(earlier(runs(9, busy)), runs(5, nil)...), 5, 14, true, false},
		"memory was busy":          {runs(9, func(e *Entry) { e.L3 = 130 }), 0, 9, false, false},
		"no loops":                 {runs(9, func(e *Entry) { e.L3 = 0 }), 9, 9, true, false},
		"within minutes: one look": {runs(9, func(e *Entry) { e.Time = noon.Add(-time.Minute) }), 0, 0, false, false},
		"other benchmarks":         {runs(9, func(e *Entry) { e.Benchmarks[0].Name = "b" }), 0, 0, true, true},
		"each run another binary":  {runs(9, func(e *Entry) { e.Benchmarks[0].Bin = e.Time.String() }), 9, 9, false, false},
	} {
		t.Run(what, func(t *testing.T) {
			p := Predict(now("a"), tt.past, 0.95)[0]
			if p.Case != 1 || p.Runs != tt.runs || p.Seen != tt.seen || p.Half > 0 != tt.known || p.Approximate != tt.approx || math.IsInf(p.Half, 0) {
				t.Errorf("%+v, want %+v", p, tt)
			}
		})
	}
}

// TestPredictFollowsSpread: machines whose runs differ more have wider intervals, whatever code they ran.
func TestPredictFollowsSpread(t *testing.T) {
	calm := Predict(now("a"), runs(12, nil), 0.95)[0].Half
	wild := Predict(now("a"), runs(12, func(e *Entry) { e.Benchmarks[0].Median += 40 * float64(e.Time.Minute()/30) }), 0.95)[0].Half
	other := Predict(now("a"), runs(12, func(e *Entry) {
		if e.Time.Hour() < 11 {
			e.Benchmarks[0].Bin, e.Benchmarks[0].Median = "y", 3*e.Benchmarks[0].Median
		}
	}), 0.95)[0].Half
	if !(wild > 3*calm) || other > 1.5*calm {
		t.Errorf("calm %.3f, wild %.3f, another binary %.3f", calm, wild, other)
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "runs.jsonl")
	if got, err := Read(path, "m"); got != nil || err != nil {
		t.Fatalf("%v, %v of no file", got, err)
	}
	others := 1.5
	want := []Entry{{
		Time: noon, Machine: "m", Others: &others, Conditions: conditions.Conditions{Loss: 0.02, L3: 17.5, Chain: 1.08},
		Benchmarks: []Median{{Name: "a", Bin: "x", Median: 1.25, Forks: 20}},
	}}
	for _, e := range []Entry{want[0], {Machine: "another"}} {
		if err := Append(path, e); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "{\"time\":\"cut off\n\x00\x1b[31m\n")
	f.Close()
	if got, err := Read(path, "m"); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestConcurrentAppends(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if err := Append(path, Entry{Machine: "m", Benchmarks: []Median{{Name: strings.Repeat(fmt.Sprint(i), 100_000)}}}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got, err := Read(path, "m"); len(got) != 8 || err != nil {
		t.Errorf("%d entries, %v", len(got), err)
	}
}

// TestShortened: a log does not grow for ever, and what is left is the newest.
func TestShortened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	big := Entry{Machine: "m", Benchmarks: []Median{{Name: strings.Repeat("x", maxSize/10)}}}
	for i := range 25 {
		big.Loss = float64(i)
		if err := Append(path, big); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Read(path, "m")
	if err != nil || len(got) < 3 || len(got) > 12 || got[len(got)-1].Loss != 24 {
		t.Errorf("%d entries, %v", len(got), err)
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRefusesDevices(t *testing.T) {
	if _, err := Read(os.DevNull, "m"); err == nil {
		t.Error("the null device is no log")
	}
}

func TestDefaultPath(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "/state")
	if got := DefaultPath(); got != filepath.FromSlash("/state/tare/runs.jsonl") {
		t.Error(got)
	}
	t.Setenv(pathVar, "off")
	if got := DefaultPath(); got != "" {
		t.Error(got)
	}
	t.Setenv(pathVar, "/elsewhere")
	if got := DefaultPath(); got != "/elsewhere" {
		t.Error(got)
	}
}

// TestNames: what changes a measurement changes the name, and no two lists of words are alike.
func TestNames(t *testing.T) {
	c := &record.Case{Pkg: "p", Name: "F", Procs: 2}
	if a, b := Name(c, "ns/op"), Name(c, "ns/op", "GOGC=50"); a == b || !strings.HasPrefix(b, a) {
		t.Error(a, b)
	}
	if digest("a", "b") == digest("ab") || digest("a", "") == digest("a") {
		t.Error("digests agree")
	}
}
