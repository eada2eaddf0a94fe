package listing

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// TestNewcombe: the examples of the paper's table II, differences of proportions.
func TestNewcombe(t *testing.T) {
	for _, c := range []struct {
		new, old part
		lo, hi   float64
	}{
		{part{56, 70, 1}, part{48, 80, 1}, 0.0524, 0.3339},
		{part{9, 10, 1}, part{3, 10, 1}, 0.1705, 0.8090},
		{part{10, 10, 1}, part{0, 20, 1}, 0.6791, 1.0000},
		{part{56, 70, 100}, part{48, 80, 100}, 5.24, 33.39}, // of another unit
	} {
		d := withinSamples(difference{}, c.old, c.new)
		tolerance := 0.00006 * c.new.scale
		if math.Abs(d.lo-c.lo) > tolerance || math.Abs(d.hi-c.hi) > tolerance {
			t.Errorf("%d/%d - %d/%d: %.4f … %.4f, want %.4f … %.4f", c.new.n, c.new.all, c.old.n, c.old.all, d.lo, d.hi, c.lo, c.hi)
		}
	}
}

// TestCoverage: the interval has the true difference nineteen times out of twenty.
func TestCoverage(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	draw := func(p float64) part {
		x := part{all: 300, scale: 1}
		for range x.all {
			if rng.Float64() < p {
				x.n++
			}
		}
		return x
	}
	const trials = 2000
	hits := 0
	for range trials {
		p, q := rng.Float64(), rng.Float64()
		d := withinSamples(difference{}, draw(p), draw(q))
		if d.lo <= q-p && q-p <= d.hi {
			hits++
		}
	}
	if e := stat.ClopperPearson(hits, trials, 0.99999); e.Hi < confidence || e.Lo > 0.975 {
		t.Errorf("covered %d of %d times (seed %d)", hits, trials, seed)
	}
}

// TestBetweenForks: shares of forks, zeros among them.
func TestBetweenForks(t *testing.T) {
	a := []float64{0, 0.01, 0.02, 0, 0.01, 0.02}
	b := []float64{0.30, 0.31, 0.32, 0.30, 0.31, 0.32}
	d := betweenForks(difference{}, a, b)
	if math.Abs(d.diff-0.30) > 1e-9 || d.lo < 0.27 || d.hi > 0.33 || d.p > 0.01 || !d.trusted {
		t.Errorf("%+v, want 0.30 within 0.28 … 0.32", d)
	}
	if d := betweenForks(difference{}, make([]float64, 4), make([]float64, 4)); d.diff != 0 || d.lo != 0 || d.hi != 0 || d.p != 1 {
		t.Errorf("nothing and nothing differ: %+v", d)
	}
	big := func(xs []float64) []float64 {
		out := make([]float64, len(xs))
		for i := range xs {
			out[i] = 1e9 * xs[i]
		}
		return out
	}
	if d := betweenForks(difference{}, big(a), big(b)); math.Abs(d.diff-0.30e9) > 1 {
		t.Errorf("in ns: %+v", d)
	}
}

// forkOf is a fork of a program that searches and copies; moved shifts its addresses and
// lines, as a rebuilt program's are.
func forkOf(rng *rand.Rand, find, copied float64, moved bool) *record.Asm {
	entry, line := uint64(0x401000), 10
	if moved {
		entry, line = 0x409000, 13
	}
	noisy := func(x float64) int64 { return int64(x * (0.98 + 0.04*rng.Float64())) }
	const file = "/home/me/src/m/x.go"
	p := newProgram("example.com/m.find", entry)
	p.line(file, line, "for i := range t {").inc(noisy(find/2)).inc(noisy(find/2)).jump(0x75, 0)
	p.incs(40)
	p.line(file, line+5, "copy(t, u)").inc(noisy(copied)).ret()
	a := asmOf(p.done(1), kernelOf(noisy(50)))
	a.Ops = 1e6
	if moved {
		a.BuildID = "def"
	}
	return a
}

func forksOf(seed uint64, n int, find, copied float64, moved bool) []*record.Asm {
	rng := rand.New(rand.NewPCG(seed, 7))
	var out []*record.Asm
	for range n {
		out = append(out, forkOf(rng, find, copied, moved))
	}
	return out
}

func compareText(t testing.TB, m *Comparison, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.Text(&b, o); err != nil {
		t.Fatal(err)
	}
	checkLines(t, b.String(), termtext.DefaultColumns, o)
	return b.String()
}

// TestCompare: a program of which one region became twice as fast.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new []*record.Asm
		c        Config
		o        Options
	}{
		{"compare.forks", forksOf(1, 6, 2000, 1000, false), forksOf(2, 6, 1000, 1000, true), Config{}, Options{Title: "BenchmarkFind", UTF8: true}},
		{"compare.perop", forksOf(1, 6, 2000, 1000, false), forksOf(2, 6, 1000, 1000, true), Config{Counts: PerOp}, Options{UTF8: true}},
		{"compare.one", forksOf(1, 1, 2000, 1000, false), forksOf(2, 1, 1000, 1000, true), Config{}, Options{}},
		{"compare.same", forksOf(1, 6, 2000, 1000, false), forksOf(2, 6, 2000, 1000, false), Config{Top: 1}, Options{UTF8: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Compare(c.old, c.new, c.c)
			if err != nil {
				t.Fatal(err)
			}
			checkComparison(t, m)
			compareGolden(t, c.name+".txt", []byte(compareText(t, m, c.o)))
		})
	}
}

// checkComparison: the samples of each list are all samples of both sides.
func checkComparison(t testing.TB, m *Comparison) {
	t.Helper()
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var o comparisonObject
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	for name, rows := range map[string][]jsonCompared{"regions": o.Regions, "functions": o.Functions, "areas": o.Areas} {
		var old, new int64
		for _, r := range rows {
			old, new = old+r.OldSamples, new+r.NewSamples
		}
		if old != o.Old.Samples || new != o.New.Samples {
			t.Errorf("%s add up to %d and %d, want %d and %d", name, old, new, o.Old.Samples, o.New.Samples)
		}
	}
}

// TestMatch: regions of one function are matched by their source, wherever it went, and
// what is on one side only is still there.
func TestMatch(t *testing.T) {
	old, new := forksOf(1, 4, 2000, 1000, false), forksOf(2, 4, 1000, 2000, true)
	for _, a := range new {
		a.Funcs[1].Name = "other"
	}
	m, err := Compare(old, new, Config{Merge: 10})
	if err != nil {
		t.Fatal(err)
	}
	checkComparison(t, m)
	got := map[string]compared{}
	for _, r := range m.regions {
		got[r.name+" "+r.place] = r
	}
	for name, want := range map[string]struct {
		old, new float64
		verdict  stat.Verdict
	}{
		"example.com/m.find m/x.go:13": {0.66, 0.33, stat.Less},
		"example.com/m.find m/x.go:18": {0.33, 0.66, stat.More},
		"kernel ":                      {0.016, 0, stat.Less},
		"other kernel":                 {0, 0.016, stat.More},
	} {
		r, ok := got[name]
		if !ok || math.Abs(r.d.old-want.old) > 0.02 || math.Abs(r.d.new-want.new) > 0.02 || r.d.verdict != want.verdict || !r.d.trusted {
			t.Errorf("%q: %+v, want %v", name, r, want)
		}
	}
}

// TestMatchOne: if there is one region on each side, their source may be new.
func TestMatchOne(t *testing.T) {
	a := loop()
	b := loop()
	b.Funcs[0].Lines, b.Funcs[0].Texts = nil, nil
	pairs := matchRegions(mustNew(t, a, Config{}).regions, mustNew(t, b, Config{}).regions)
	if len(pairs) != 3 {
		t.Fatalf("%d pairs, want 3", len(pairs))
	}
	for _, p := range pairs {
		if p.old == nil || p.new == nil || p.old.fn.rec.Name != p.new.fn.rec.Name {
			t.Errorf("not matched: %+v", p)
		}
	}
}

func TestNotComparable(t *testing.T) {
	other := loop()
	other.Events[0].Name = "cycles"
	rough := loop()
	rough.Window = record.AsmRough
	for _, c := range []struct {
		old, new []*record.Asm
		want     string
	}{
		{nil, []*record.Asm{loop()}, "old side: listing: merging: no record"},
		{[]*record.Asm{loop()}, []*record.Asm{other}, "different events cannot be compared: cpu-clock, cycles"},
		{[]*record.Asm{loop()}, []*record.Asm{rough}, "different windows cannot be compared: marks, approximate"},
	} {
		if _, err := Compare(c.old, c.new, Config{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestSameBinary: a comparison of a binary with itself says so.
func TestSameBinary(t *testing.T) {
	m, err := Compare(forksOf(1, 4, 100, 100, false), forksOf(2, 4, 100, 100, false), Config{})
	if err != nil {
		t.Fatal(err)
	}
	if ws := m.Warnings(); len(ws) == 0 || ws[0].Code != "same-binary" {
		t.Errorf("warnings %+v", ws)
	}
}
