package listing

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// TestMerge: two forks that were found in different places.
func TestMerge(t *testing.T) {
	a := asmOf(newProgram("f", 0x1000).inc(3).inc(4).ret().done(1), kernelOf(2))
	b := asmOf(newProgram("f", 0x1000).inc().inc(5).ret(1).done(1), newProgram("g", 0x2000).ret(9).done(1))
	a.Events[0].Achieved, a.Events[0].Outside, a.Events[0].Lost = 900, 3, 1
	b.Events[0].Achieved, b.Events[0].Outside, b.Events[0].Lost = 450, 0, 2
	a.Stopped, b.Stopped, a.Events[0].Stopped, b.Events[0].Stopped = 0.5, 0.7, 2, 5
	b.Rejected = append(b.Rejected, "cycles: refused")
	a.Cost, b.Cost = 0.01, 0.04
	m, err := Merge([]*record.Asm{a, b})
	if err != nil {
		t.Fatal(err)
	}
	e := m.Events[0]
	// 12 samples at 900 Hz and 15 at 450 Hz.
	if rate := 27 / (12/900.0 + 15/450.0); e.Samples != 24 || e.Outside != 3 || e.Stopped != 7 || e.Lost != 3 || e.Kernel != 2 || e.Achieved != rate {
		t.Errorf("events %+v", e)
	}
	if m.Ops != 2000 || len(m.Rejected) != 2 || math.Abs(m.Stopped-0.6) > 1e-9 || m.Cost < 0.0287 || m.Cost > 0.0288 { // (9·0.01 + 15·0.04) / 24
		t.Errorf("merged %+v", m)
	}
	var got []string
	for _, f := range m.Funcs {
		got = append(got, f.Name)
	}
	if !slices.Equal(got, []string{"f", "g", "kernel"}) {
		t.Errorf("functions %q, want those with most samples first", got)
	}
	want := []record.AsmCount{{Addr: 0x1000, N: []int64{3}}, {Addr: 0x1003, N: []int64{9}}, {Addr: 0x1006, N: []int64{1}}}
	if f := m.Funcs[0]; f.Samples[0] != 13 || !slices.EqualFunc(f.Counts, want, func(x, y record.AsmCount) bool { return x.Addr == y.Addr && slices.Equal(x.N, y.N) }) {
		t.Errorf("f %+v", f)
	}
	if a.Events[0].Samples != 9 || a.Funcs[0].Counts[1].N[0] != 4 || len(a.Rejected) != 1 {
		t.Errorf("the first record was changed: %+v", a)
	}
	if one, err := Merge([]*record.Asm{a}); err != nil || one.Events[0].Samples != 9 || one.Ops != a.Ops || one.Cost != a.Cost {
		t.Errorf("of one record: %+v, %v", one, err)
	}
	b.Ops = 0
	if m, err := Merge([]*record.Asm{a, b}); err != nil || m.Ops != 0 {
		t.Errorf("operations of one are not known: %+v, %v", m, err)
	}
}

// TestMergeWithin: a record may name a place without code twice; together they are one,
// and can be compared.
func TestMergeWithin(t *testing.T) {
	low, high := kernelOf(400), kernelOf(700)
	low.Counts[0].Addr, low.Area = 0x10, record.AreaUnknown
	high.Area = record.AreaUnknown
	a := asmOf(high, low)
	m, err := Merge([]*record.Asm{a})
	if err != nil || len(m.Funcs) != 1 || m.Funcs[0].Samples[0] != 1100 || len(m.Funcs[0].Counts) != 2 {
		t.Fatalf("merged %+v, %v", m, err)
	}
	c, err := Compare([]*record.Asm{a}, []*record.Asm{a}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	checkComparison(t, c)
}

// TestMergeRandom: sums are kept, in whatever order records come.
func TestMergeRandom(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 50 {
		a := randomAsm(rng)
		// A name, area and entry is one function of a binary.
		m, err := Merge([]*record.Asm{a, a, a})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		back, err := Merge([]*record.Asm{m, a})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for e := range a.Events {
			if m.Events[e].Samples != 3*a.Events[e].Samples || back.Events[e].Samples != 4*a.Events[e].Samples {
				t.Fatalf("seed %d: %d and %d samples of %d", seed, m.Events[e].Samples, back.Events[e].Samples, a.Events[e].Samples)
			}
		}
		if m.Events[0].Samples > 0 {
			checkSums(t, mustNew(t, m, Config{}))
		}
	}
}

// TestNotMergeable: what differs is named.
func TestNotMergeable(t *testing.T) {
	for _, c := range []struct {
		change func(a *record.Asm)
		want   string
	}{
		{func(a *record.Asm) { a.BuildID = "def" }, `record 2: another binary: build "def", not "abc"`},
		{func(a *record.Asm) { a.Arch = "arm64" }, `another architecture: "arm64"`},
		{func(a *record.Asm) { a.Source = record.AsmPprof }, `another source: "pprof"`},
		{func(a *record.Asm) { a.Events[0].UserOnly = true }, "another event: cpu-clock, without the kernel, not cpu-clock"},
		{func(a *record.Asm) { a.Events[0].Precise = true }, "another event: cpu-clock, precise"},
		{func(a *record.Asm) { a.Funcs[0].Code[0] = 0x90 }, `function "example.com/m.find": another code`},
		{func(a *record.Asm) { a.Events[0].Samples = -1 }, "record 2: event"},
	} {
		b := loop()
		c.change(b)
		if _, err := Merge([]*record.Asm{loop(), b}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := Merge([]*record.Asm{nil}); err == nil {
		t.Error("a nil record was merged")
	}
}
