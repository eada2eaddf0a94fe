package trend

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/result/history"
)

func seeded(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

func hash(n int) string { return fmt.Sprintf("%040x", n+1) }

func lineOf(n int) (out []Commit) {
	for i := range n {
		out = append(out, Commit{Hash: hash(i), Tree: hash(1_000_000 + i), Subject: fmt.Sprint("change ", i)})
	}
	return out
}

// world makes entries.
type world struct {
	*rand.Rand
	benchmarks int
	machine    string
	level      func(commit, benchmark int) float64 // factor of the true time
}

func (w *world) entry(commit int) *history.Entry {
	e := &history.Entry{
		Commit: hash(commit), Tree: hash(1_000_000 + commit), Time: time.Unix(int64(1e9+1000*commit), 0), Machine: w.machine, Described: "the CPU of " + w.machine, Toolchain: "go1.26.8",
		Settings: map[string]string{"GOAMD64": "v1"},
	}
	for b := range w.benchmarks {
		key := history.Key{Pkg: "example.com/m", Name: fmt.Sprintf("B%03d", b)}
		s := history.Series{Key: key, Unit: "ns/op", Main: true, Better: "lower"}
		for range 10 {
			s.Values = append(s.Values, 1e6*w.level(commit, b)*(1+0.03*w.NormFloat64()))
		}
		e.Series = append(e.Series, s, history.Series{Key: key, Unit: "allocs/op", Better: "lower", Values: slices.Repeat(history.Values{7}, 10)})
	}
	return e
}

func trendsOf(t testing.TB, c *Collector, o Selection) *Trends {
	t.Helper()
	out, ok := c.Trends(o)
	if !ok {
		t.Fatal("no trends")
	}
	return out
}

func (t *Trends) row(name, unit string) *Row {
	for _, r := range t.Rows {
		if r.Name == name && r.Unit == unit {
			return r
		}
	}
	return nil
}

// TestStep: a step of one benchmark is found where it is, and what all benchmarks share accuses none of them.
func TestStep(t *testing.T) {
	const commits, step = 60, 37
	r := seeded(t)
	drift := make([]float64, commits)
	for i := range drift {
		drift[i] = 1 + 0.02*r.NormFloat64()
	}
	w := &world{r, 15, "a", func(c, b int) float64 {
		if b == 4 && c >= step {
			return 1.2 * drift[c]
		}
		return drift[c]
	}}
	c := NewCollector(lineOf(commits))
	for _, i := range r.Perm(commits) {
		e := w.entry(i)
		if i >= 50 {
			for k := range e.Series {
				if s := &e.Series[k]; s.Name == "B002" && s.Unit == "allocs/op" {
					s.Values = slices.Repeat(history.Values{8}, 10)
				}
			}
		}
		c.Add(history.File{}, e)
	}
	out := trendsOf(t, c, Selection{})
	if out.Common == nil || len(out.Points) != commits || len(out.Rows) != 30 {
		t.Fatalf("%d points, %d rows", len(out.Points), len(out.Rows))
	}
	for _, row := range out.Rows {
		switch {
		case row.Name == "B004" && row.Main:
			if got := large(row); len(got) != 1 || abs(got[0].At-step) > 2 || got[0].Ratio < 1.15 || got[0].Ratio > 1.25 || !row.Worse(got[0]) {
				t.Errorf("%s: %+v", row.Name, row.Suspects)
			}
		case row.Name == "B002" && row.Unit == "allocs/op":
			if !row.Exact || len(row.Suspects) != 1 || row.Suspects[0].At != 50 {
				t.Errorf("%s: %+v", row.Name, row.Suspects)
			}
		case !row.Main && len(row.Suspects) > 0:
			t.Errorf("%s %s: %+v", row.Name, row.Unit, row.Suspects)
		}
	}
}

// large returns the suspects of a row that change its level by more than a tenth. Chance makes smaller ones, in about one of 60
// series of times.
func large(r *Row) []Suspect {
	return slices.DeleteFunc(slices.Clone(r.Suspects), func(s Suspect) bool { return s.Ratio < 1.1 && s.Ratio > 1/1.1 })
}

func abs(n int) int { return max(n, -n) }

// TestMachineChanged: a slower machine is a break, and no suspect.
func TestMachineChanged(t *testing.T) {
	w := &world{seeded(t), 3, "old", func(c, _ int) float64 { return 1 }}
	c := NewCollector(lineOf(60))
	for i := range 30 {
		c.Add(history.File{}, w.entry(i))
	}
	w.machine, w.level = "new", func(int, int) float64 { return 3 }
	for i := 25; i < 60; i++ {
		c.Add(history.File{}, w.entry(i))
	}
	out := trendsOf(t, c, Selection{})
	if out.Machine != "new" || len(out.Points) != 35 || len(out.Others) != 1 || out.Others[0].Machine != "old" || out.Others[0].Commits != 30 {
		t.Errorf("%s, %d points, others %+v", out.Machine, len(out.Points), out.Others)
	}
	for _, row := range out.Rows {
		for _, s := range row.Suspects {
			if s.Ratio > 1.5 {
				t.Errorf("%s: %+v", row.Name, s)
			}
		}
	}
	if old := trendsOf(t, c, Selection{Machine: "ol"}); old.Machine != "old" || len(old.Points) != 30 {
		t.Errorf("%s, %d points", old.Machine, len(old.Points))
	}
	if _, ok := c.Trends(Selection{Toolchain: "go1.1"}); ok {
		t.Error("trends of a toolchain that is not there")
	}
}

// TestRewritten: commits that were rewritten without a change of their content keep their values; others are elsewhere.
func TestRewritten(t *testing.T) {
	w := &world{seeded(t), 1, "a", func(c, _ int) float64 { return 1 }}
	line := lineOf(6)
	for i := 3; i < 6; i++ {
		line[i].Hash = hash(100 + i) // rebased
	}
	line[5].Tree = hash(999) // and changed
	c := NewCollector(line)
	for i := range 6 {
		c.Add(history.File{}, w.entry(i))
	}
	dirty := w.entry(2)
	dirty.Dirty = true
	c.Add(history.File{}, dirty)
	out := trendsOf(t, c, Selection{})
	if len(out.Points) != 5 || !slices.Equal(out.Elsewhere, []string{hash(5)}) || out.Dirty != 1 || len(out.Rows[0].Values[2]) != 10 {
		t.Errorf("%d points, elsewhere %v, dirty %d", len(out.Points), out.Elsewhere, out.Dirty)
	}
}

// TestGaps: what has no values says why, and a commit without any entry is no point.
func TestGaps(t *testing.T) {
	w := &world{seeded(t), 2, "a", func(c, _ int) float64 { return 1 }}
	c := NewCollector(lineOf(5))
	for i := range 4 {
		e := w.entry(i)
		switch i {
		case 1:
			e.Series, e.Gaps = nil, []history.Gap{{Why: "does not build"}}
		case 2:
			e.Series, e.Gaps = e.Series[:2], []history.Gap{{Pkg: "example.com/m", Name: "B001", Why: "same binary as x", Same: hash(0)}}
		}
		c.Add(history.File{}, e)
	}
	out := trendsOf(t, c, Selection{})
	a, b := out.row("B000", "ns/op"), out.row("B001", "ns/op")
	if !slices.Equal(a.Gaps, []string{"", "does not build", "", ""}) || !slices.Equal(b.Gaps, []string{"", "does not build", "same binary as x", ""}) {
		t.Errorf("%q %q", a.Gaps, b.Gaps)
	}
}

// TestVerdicts: a suspect has the newest verdict of a comparison around it.
func TestVerdicts(t *testing.T) {
	const step = 20
	w := &world{seeded(t), 2, "a", func(c, _ int) float64 {
		if c >= step {
			return 1.5
		}
		return 1
	}}
	c := NewCollector(lineOf(40))
	for i := range 40 {
		e := w.entry(i)
		verdict := func(before, after int, state string) {
			e.Verdicts = append(e.Verdicts, history.Verdict{Key: e.Series[0].Key, Unit: "ns/op", Before: hash(before), After: hash(after), State: state})
		}
		switch i {
		case 24:
			verdict(16, 24, history.Undecided)
			verdict(24, 39, history.Refuted) // about another place
		case 25:
			verdict(15, 25, history.Confirmed) // later
		}
		c.Add(history.File{}, e)
	}
	out := trendsOf(t, c, Selection{Unit: "ns/op"})
	if a, b := large(out.Rows[0]), large(out.Rows[1]); len(a) != 1 || a[0].State != history.Confirmed || len(b) != 1 || b[0].State != NotConfirmed {
		t.Errorf("%+v %+v", a, b)
	}
}

// TestSequences: an anchor joins two sequences of which the second was slower as a whole. Noise is not subtracted.
func TestSequences(t *testing.T) {
	for _, slower := range []float64{1, 1.3} {
		r := seeded(t)
		c := NewCollector(lineOf(40))
		for sequence := range 2 {
			w := &world{r, 2, "a", func(c, _ int) float64 {
				if sequence == 1 {
					return slower
				}
				return 1
			}}
			for i := 20 * sequence; i < 20*sequence+20; i++ {
				e := w.entry(i)
				e.Sequence = fmt.Sprint(sequence)
				c.Add(history.File{}, e)
			}
			e := w.entry(0)
			e.Sequence, e.Anchor = fmt.Sprint(sequence), true
			c.Add(history.File{}, e)
		}
		for _, row := range trendsOf(t, c, Selection{Unit: "ns/op"}).Rows {
			for _, s := range row.Suspects {
				if s.Ratio > 1.1 {
					t.Errorf("×%g: %+v", slower, s)
				}
			}
		}
	}
}

// BenchmarkShow reads a thousand commits of two hundred benchmarks, with their times and allocations, from a ref, and finds
// their suspects.
func BenchmarkShow(b *testing.B) {
	dir := b.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		b.Skipf("%v: %s", err, out)
	}
	w := &world{seeded(b), 200, "a", func(c, bench int) float64 {
		if bench%10 == 0 && c >= 3*bench {
			return 1.05
		}
		return 1
	}}
	var all []*history.Entry
	for i := range 1000 {
		all = append(all, w.entry(i))
	}
	ctx := context.Background()
	store, err := history.OpenRef(ctx, dir)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := store.Add(ctx, all); err != nil {
		b.Fatal(err)
	}
	all = nil
	for b.Loop() {
		files, _, err := store.List(ctx)
		if err != nil {
			b.Fatal(err)
		}
		c := NewCollector(lineOf(1000))
		if damage, err := store.Read(ctx, files, nil, c.Add); err != nil || len(damage) > 0 {
			b.Fatal(damage, err)
		}
		if t := trendsOf(b, c, Selection{}); len(t.Rows) != 400 {
			b.Fatal(len(t.Rows))
		}
	}
}
