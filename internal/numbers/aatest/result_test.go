package aatest

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestTooFew: below 40 windows the output says so, and how much time it takes.
func TestTooFew(t *testing.T) {
	r := (&machine{seed: 1, n: 10, within: 0.02, budget: 20 * time.Second}).result(t)
	if r.Verdict.Fit != Unknown || r.windows() >= Needed || r.TooFew() != "too few windows (15 of 40); tare selftest --budget 1m gives enough" {
		t.Errorf("%+v\n%s", r.Verdict, r.TooFew())
	}
	enough := (&machine{seed: 1, n: 10, within: 0.02, budget: time.Duration(r.Budget)}).result(t)
	if enough.windows() < Needed || enough.Budget != 0 || enough.Verdict.Fit != Fit {
		t.Errorf("with the budget asked for: %d windows, verdict %+v", enough.windows(), enough.Verdict)
	}
}

// TestVerdicts: what makes a machine unfit, and what does not.
func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		name string
		m    machine
		fit  string
		why  string
	}{
		{"quiet", machine{within: 0.01, budget: 2 * time.Minute}, Fit, ""},
		{"noisy", machine{within: 0.20, budget: 2 * time.Minute}, Unfit, "a change is found 8 times of 10 only from"},
		{"far too noisy", machine{within: 0.6, budget: 25 * time.Second}, Unfit, "a change is found"},
		{"too short", machine{within: 0.05, budget: 10 * time.Second}, Unknown, "too few windows"},
		// Pairs of equal speed that drift within a pair: the order inside a round is
		// random, so that only something tied to the side can do this.
		{"sides differ", machine{within: 0.01, budget: 2 * time.Minute, sideB: 0.03}, Unfit, "this way calls the same binary different in 100 % of windows"},
	} {
		test.m.seed, test.m.n = 2, 10
		r := test.m.result(t)
		if why := strings.Join(r.Verdict.Reasons, "; "); r.Verdict.Fit != test.fit || !strings.Contains(why, test.why) {
			t.Errorf("%s: %s %q", test.name, r.Verdict.Fit, why)
		}
	}
}

// TestFailedProcesses: a benchmark that fails is reported. Its windows are lost,
// and those of other benchmarks count.
func TestFailedProcesses(t *testing.T) {
	calls := 0
	m := &machine{seed: 3, n: 6, within: 0.01, budget: time.Minute, names: []string{"Good", "Bad"}, fails: func(s Step) bool {
		calls++
		return s.Benchmark == 1
	}}
	r := m.result(t)
	bad := r.Benchmarks[1]
	if bad.Failed < giveUp || bad.This.Windows != 0 || !math.IsNaN(float64(bad.Smallest.Value)) || r.Benchmarks[0].This.Windows < 20 {
		t.Errorf("%+v", r.Benchmarks)
	}
	golden(t, "failed.json", jsonOf(t, r))
}

// TestDegenerate: nothing panics, and nothing is made up.
func TestDegenerate(t *testing.T) {
	whole := (&machine{seed: 4, n: 5, within: 0.02, budget: 10 * time.Second}).run(t)
	edit := func(f func(record.Line) record.Line) []record.Line {
		var out []record.Line
		for _, l := range whole {
			if l = f(l); l != nil {
				out = append(out, l)
			}
		}
		return out
	}
	value := func(x float64) []record.Line {
		return edit(func(l record.Line) record.Line {
			if s, ok := l.(*record.Sample); ok {
				c := *s
				c.V = record.Values{{Unit: "ns/op", Value: x}}
				return &c
			}
			return l
		})
	}
	type edge struct {
		Name   string
		Result *Result
	}
	var edges []edge
	for _, test := range []struct {
		name    string
		lines   []record.Line
		windows int
	}{
		{"no process", whole[:3], 0},
		{"only the head", whole[:1], 0},
		{"all equal", value(7), 15},
		{"zeros", value(0), 0},
		{"NaN", value(math.NaN()), 0},
		{"infinite", value(math.Inf(1)), 0},
		{"negative", value(-3), 0},
		{"no ns/op", edit(func(l record.Line) record.Line {
			if s, ok := l.(*record.Sample); ok {
				c := *s
				c.V = record.Values{{Unit: "MB/s", Value: 3}}
				return &c
			}
			return l
		}), 0},
		{"one side", edit(func(l record.Line) record.Line {
			if f, ok := l.(*record.Fork); ok && f.Case == 2 {
				return nil
			}
			return l
		}), 0},
		{"no samples", edit(func(l record.Line) record.Line {
			if _, ok := l.(*record.Sample); ok {
				return nil
			}
			return l
		}), 0},
		{"no end", whole[:len(whole)-1], 15},
		{"strange rounds", edit(func(l record.Line) record.Line {
			if f, ok := l.(*record.Fork); ok {
				c := *f
				c.Round = -c.Round
				return &c
			}
			return l
		}), 0},
		{"unknown case", edit(func(l record.Line) record.Line {
			if _, ok := l.(*record.Case); ok {
				return nil
			}
			return l
		}), 0},
		{"unknown side", edit(func(l record.Line) record.Line {
			if c, ok := l.(*record.Case); ok {
				x := *c
				x.Side = "C"
				return &x
			}
			return l
		}), 0},
	} {
		r := analyse(test.lines)
		if r.This.Windows != test.windows {
			t.Errorf("%s: %d windows, want %d", test.name, r.This.Windows, test.windows)
		}
		edges = append(edges, edge{test.name, r})
	}
	text, err := json.MarshalIndent(edges, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "degenerate.json", string(text)) // which its text is tested with
	if r := (&Data{}).Result(); r.Verdict.Fit != Unknown {
		t.Errorf("nothing at all: %+v", r.Verdict)
	}
}

// TestTally counts as the result does.
func TestTally(t *testing.T) {
	b := dataOf((&machine{seed: 6, n: 10, within: 0.02, between: 0.03, budget: time.Minute, names: []string{"X", "Y"}}).run(t))
	r := b.Result()
	want := Tally{r.This.Windows, r.This.Different, r.Usual.Windows, r.Usual.Different}
	if got := b.Tally(); got != want || want.UsualDifferent == 0 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func jsonOf(t testing.TB, r *Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGolden: results in JSON, of which package render/selftest makes its texts.
func TestGolden(t *testing.T) {
	fit := (&machine{seed: 0x7f3a, n: 10, within: 0.02, between: 0.015, budget: 2 * time.Minute,
		names: []string{"SearchWrappers", "Fields/ASCII/256", "AVeryLongName/with=many/parameters=that/do=not/fit"}}).result(t)
	noisy := (&machine{seed: 0x7f3b, n: 10, within: 0.20, budget: 90 * time.Second}).result(t)
	noisy.Load = 2.9
	noisy.Notes = []Note{{"x", "something was doubtful", "do something about it"}}
	var interrupted *Result
	{
		lines := (&machine{seed: 0x7f3c, n: 10, within: 0.01, budget: 20 * time.Second}).run(t)
		lines[len(lines)-1] = &record.End{State: record.EndPartial, Why: "interrupted in block 15"}
		interrupted = analyse(lines)
	}
	for name, r := range map[string]*Result{"fit": fit, "unfit": noisy, "partial": interrupted} {
		golden(t, name+".json", jsonOf(t, r))
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
	}
}
