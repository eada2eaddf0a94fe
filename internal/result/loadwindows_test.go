package result

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// windowRun returns the result of a run of two sides. It has a number of pairs for each start of the servers; 0: they were
// not started. value returns the response times.
func windowRun(t *testing.T, starts, pairs int, value func(side, start, pair int) float64, more ...record.Line) *Result {
	t.Helper()
	b := NewBuilder()
	b.Add(&record.Run{Kind: record.KindLoad, Sides: []record.Side{{Name: "old"}, {Name: "new"}}, Config: record.Config{Threshold: 0.05, Load: &record.LoadConfig{Rate: 2000}}})
	rng := rand.New(rand.NewPCG(1, 2))
	pair := 0
	for start := range max(starts, 1) {
		for range pairs {
			pair++
			for side, name := range []string{"old", "new"} {
				w := &record.LoadWindow{Side: name, Pair: pair}
				if starts > 0 {
					w.Start = start + 1
				}
				for _, l := range window(t, w, value(side, start, pair), rng) {
					b.Add(l)
				}
			}
		}
	}
	for _, l := range more {
		b.Add(l)
	}
	b.Add(&record.End{State: record.EndCompleted})
	return b.Result()
}

// window returns the lines of a window of 2000 operations whose times are around a value in ms.
func window(t *testing.T, w *record.LoadWindow, ms float64, rng *rand.Rand) []record.Line {
	t.Helper()
	var h hist.Histogram
	for range 2000 {
		h.Record(int64(ms * 1e6 * (1 + 0.1*rng.ExpFloat64())))
	}
	data, err := h.Encode()
	if err != nil {
		t.Fatal(err)
	}
	counts := record.Load{Phase: record.LoadRun, Length: 1e9, TargetRate: 2000, Achieved: 2000, Scheduled: 2000, Started: 2000, Completed: 2000, Errors: map[string]int64{"server": 1}, Window: w}
	of, final := counts, counts
	of.Iter, final.Final = 1, true
	return []record.Line{&of,
		&record.Hist{Name: "GET", Iter: 1, Tag: record.TagResponse, Length: 1e9, Unit: "ns", Data: data},
		&record.Hist{Name: "GET", Iter: 1, Tag: record.TagService, Length: 1e9, Unit: "ns", Data: data}, &final}
}

func row(t *testing.T, r *Result, name string) *Comparison {
	t.Helper()
	i := slices.IndexFunc(r.Comparisons, func(c Comparison) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("there is no %q in %d comparisons", name, len(r.Comparisons))
	}
	return &r.Comparisons[i]
}

// TestWindows: pairs of windows are the samples, or starts where the servers were started.
func TestWindows(t *testing.T) {
	slower := func(side, start, pair int) float64 { return 2 + 0.4*float64(side) + 0.1*float64(pair%5) }
	r := windowRun(t, 0, 12, slower)
	c := row(t, r, "GET response p99")
	if c.Verdict != "slower" || !c.Trusted || c.OldN != 12 || c.Sample != SampleWindows || c.Ratio < 1.1 || c.Ratio > 1.3 {
		t.Errorf("%+v", c)
	}
	if c := row(t, r, "answered without error"); c.Verdict != "equivalent" || c.Old != 1999 {
		t.Errorf("%+v", c)
	}
	if c := row(t, r, "share of due without error"); c.Verdict != "equivalent" || c.Old != 99.95 {
		t.Errorf("%+v", c)
	}
	if len(texts(r.Warnings, diagnosis.OneProcess)) != 1 || r.LoadPairs.Pairs != 12 || r.LoadPairs.Sides[1].Load.Operations != 24_000 {
		t.Errorf("%+v, %+v", r.Warnings, r.LoadPairs)
	}
	r = windowRun(t, 7, 4, slower)
	if c := row(t, r, "GET service p50"); c.Verdict != "slower" || c.OldN != 7 || c.Sample != SampleStarts || r.LoadPairs.Starts != 7 || r.LoadPairs.Samples != 7 {
		t.Errorf("%+v, %+v", c, r.LoadPairs)
	}
	if len(texts(r.Warnings, diagnosis.OneProcess))+len(texts(r.Warnings, diagnosis.FewPairs)) != 0 {
		t.Errorf("%+v", r.Warnings)
	}
}

// TestWindowsOfNothing: if a side has no successful operation, there is no trusted ratio.
func TestWindowsOfNothing(t *testing.T) {
	b := NewBuilder()
	b.Add(&record.Run{Kind: record.KindLoad, Sides: []record.Side{{Name: "old"}, {Name: "new"}}, Config: record.Config{Threshold: 0.05, Load: &record.LoadConfig{Rate: 2000}}})
	for pair := range 12 {
		for side, name := range []string{"old", "new"} {
			of := record.Load{
				Phase: record.LoadRun, Iter: 1, Length: 1e9, TargetRate: 2000, Achieved: 2000, Scheduled: 2000, Started: 2000, Completed: 2000,
				Errors: map[string]int64{"server": int64(2000 * side)}, Window: &record.LoadWindow{Side: name, Pair: pair + 1},
			}
			final := of
			final.Iter, final.Final = 0, true
			b.Add(&of)
			b.Add(&final)
		}
	}
	b.Add(&record.End{State: record.EndCompleted})
	if c := row(t, b.Result(), "answered without error"); c.Trusted || !slices.Contains(c.Reasons, diagnosis.NoRatio) {
		t.Errorf("%+v", c)
	}
}

// TestWindowsOfProcesses: a difference between two processes of the same program is no change, however many windows show
// it.
func TestWindowsOfProcesses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	different := 0
	for range 60 {
		process := map[[2]int]float64{}
		r := windowRun(t, 6, 3, func(side, start, pair int) float64 {
			k := [2]int{side, start}
			if process[k] == 0 {
				process[k] = 2 * (1 + 0.3*rng.Float64())
			}
			return process[k]
		})
		if v := row(t, r, "GET service p50").Verdict; v == "slower" || v == "faster" {
			different++
		}
	}
	if different > 8 { // 5 % are 3
		t.Errorf("%d of 60 were called different", different)
	}
}

// TestWindowsPartial: a window without its pair, or of an interrupted run, does not count.
func TestWindowsPartial(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	lines := window(t, &record.LoadWindow{Side: "old", Pair: 9}, 2, rng)
	cut := window(t, &record.LoadWindow{Side: "new", Pair: 9}, 2, rng)
	r := windowRun(t, 0, 3, func(int, int, int) float64 { return 2 }, append(lines, cut[:3]...)...)
	if r.LoadPairs.Pairs != 3 || r.LoadPairs.Samples != 3 {
		t.Errorf("%+v", r.LoadPairs)
	}
	if few := texts(r.Warnings, diagnosis.FewPairs); len(few) != 1 || !strings.Contains(few[0], "3 pairs of windows") {
		t.Errorf("%q", few)
	}
}

// TestWindowsUnanswered: operations that were scheduled and never sent count as unanswered. Their side misses its target
// rate, and a warning says so.
func TestWindowsUnanswered(t *testing.T) {
	b := NewBuilder()
	b.Add(&record.Run{Kind: record.KindLoad, Sides: []record.Side{{Name: "old"}, {Name: "new"}}, Config: record.Config{Threshold: 0.05, Load: &record.LoadConfig{Rate: 2000}}})
	rng := rand.New(rand.NewPCG(7, 8))
	for pair := range 8 {
		for _, side := range []string{"old", "new"} {
			for _, l := range window(t, &record.LoadWindow{Side: side, Pair: pair + 1}, 2, rng) {
				if n, ok := l.(*record.Load); ok && side == "new" { // of 2500 that were due 400 were never sent, 60 dropped and 40 not answered
					n.TargetRate, n.Scheduled, n.Started = 2500, 2500, 2040
					n.Unsent, n.Dropped, n.Unfinished, n.UnsentOldest, n.UnfinishedOldest = 400, 60, 40, 3e8, 2e8
				}
				b.Add(l)
			}
		}
	}
	b.Add(&record.End{State: record.EndCompleted})
	r := b.Result()
	c := row(t, r, "share of due without error")
	if c.Verdict != "less" || c.Old != 99.95 || c.New != 79.96 {
		t.Errorf("%+v", c)
	}
	if got := row(t, r, "answered without error"); got.Verdict != "equivalent" {
		t.Errorf("%+v", got)
	}
	x := r.LoadPairs.Sides[1].Load
	if !x.Missed || r.LoadPairs.Sides[0].Load.Missed || !strings.Contains(x.Verdict, "growth of a queue") {
		t.Errorf("%v, %q", x.Missed, x.Verdict)
	}
	i := slices.IndexFunc(r.Warnings, func(w Warning) bool { return w.Code == diagnosis.Unanswered })
	want := "3520 of " + units.Count(20_000) + " operations were never answered: 320 in flight at the end (oldest 200 ms), 3200 due and not sent (oldest 300 ms)"
	if i < 0 || r.Warnings[i].Side != "new" || r.Warnings[i].Text != want || len(texts(r.Warnings, diagnosis.Unanswered)) != 1 {
		t.Errorf("%+v", r.Warnings)
	}
}
