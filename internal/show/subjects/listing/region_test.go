package listing

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// spans are the sampled stretches of the regions of the first function, by address.
func spans(l *Listing) string {
	var out []string
	for _, r := range l.regions {
		if r.fn == l.funcs[0] {
			out = append(out, fmt.Sprintf("%d-%d in %d-%d", r.first, r.last, r.from, r.to-1))
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// TestRegions: where regions begin and end.
func TestRegions(t *testing.T) {
	twoSamples := func(k int) *record.Asm { // two samples with k instructions between them
		return asmOf(newProgram("f", 0x1000).incs(20).inc(5).incs(k).inc(6).incs(20).ret().done(1))
	}
	for _, c := range []struct {
		name string
		a    *record.Asm
		c    Config
		want string
	}{
		{"one address", asmOf(newProgram("f", 0x1000).incs(3).inc(5).ret().done(1)), Config{Margin: 1}, "3-3 in 2-4"},
		{"merged at the limit", twoSamples(31), Config{}, "20-52 in 10-62"},
		{"cut beyond it", twoSamples(32), Config{}, "20-20 in 10-30, 53-53 in 43-63"},
		{"no merging", twoSamples(0), Config{Merge: -1, Margin: -1}, "20-20 in 20-20, 21-21 in 21-21"},
		{"margins share what lies between", twoSamples(4), Config{Merge: 3, Margin: 10}, "20-20 in 10-22, 25-25 in 23-35"},
		{"margin ends with the function", twoSamples(0), Config{Margin: 1000}, "20-21 in 0-42"},
		{"whole function", twoSamples(32), Config{Func: regexp.MustCompile("^f$")}, "20-53 in 0-74"},
	} {
		if got := spans(mustNew(t, c.a, c.c)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// What follows are perfasm's faults, one by one, as far as they are a listing's.

// A region of one address counts, and is shown.
func TestOneAddress(t *testing.T) {
	a := asmOf(newProgram("f", 0x1000).incs(3).inc(1258).ret().done(1))
	l := mustNew(t, a, Config{})
	checkSums(t, l)
	text := textOf(t, l, Options{})
	for _, want := range []string{"region 1 | 100.00 % | f", "100.00 % #  0x1009", "100.00 %           1258  all samples"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Time for each operation is samples × period / operations, not a hundred times that.
func TestPerOp(t *testing.T) {
	a := asmOf(newProgram("f", 0x1000).inc(250).inc(750).ret().done(1))
	a.Events[0].Period, a.Ops = 1e6, 50_000_000 // one second of CPU time
	text := textOf(t, mustNew(t, a, Config{Counts: PerOp}), Options{})
	for _, want := range []string{"region 1 | 20.00 ns/op | f", "5.00 :  0x1000", "15.00 #  0x1003"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// The header says what an operation takes, whatever the counts are, and which samples count.
func TestWindow(t *testing.T) {
	for _, c := range []struct {
		window       string
		ops, outside int64
		want         string
	}{
		{record.AsmMarks, 50_000_000, 7, "window: the measured iterations, by their marks · 7 samples outside do not count\n50 000 000 operations, 20.00 ns of CPU time each\n"},
		{record.AsmWhole, 0, 0, "window: the whole run\n"},
		{record.AsmWhole, 0, 12, "window: a part of the run · 12 samples outside do not count\n"},
	} {
		a := asmOf(newProgram("f", 0x1000).inc(250).inc(750).ret().done(1))
		a.Events[0].Period, a.Events[0].Outside, a.Ops, a.Window = 1e6, c.outside, c.ops, c.window
		if text := textOf(t, mustNew(t, a, Config{}), Options{UTF8: true}); !strings.Contains(text, c.want) {
			t.Errorf("no %q in\n%s", c.want, text)
		}
	}
}

// Distances are instructions, however many bytes they have.
func TestMergeInInstructions(t *testing.T) {
	p := newProgram("f", 0x1000).long(1, 5)
	for range 9 {
		p.long(1)
	}
	a := asmOf(p.long(1, 5).ret().done(1)) // 100 bytes farther
	if n := len(mustNew(t, a, Config{Merge: 10}).regions); n != 1 {
		t.Errorf("%d regions of samples 10 instructions apart, want 1", n)
	}
	if n := len(mustNew(t, a, Config{Merge: 9}).regions); n != 2 {
		t.Errorf("%d regions of samples more than 9 instructions apart, want 2", n)
	}
}

// Jumps whose ends are the first and the last line are drawn.
func TestEdgesAtTheEnds(t *testing.T) {
	a := asmOf(newProgram("f", 0x1000).inc(5).inc(5).jump(0x75, 0, 5).done(1))
	text := textOf(t, mustNew(t, a, Config{Margin: -1}), Options{UTF8: true})
	if !strings.Contains(text, "╭→ 0x1000") || !strings.Contains(text, "╰─ 0x1006") {
		t.Errorf("no loop from the first to the last instruction in\n%s", text)
	}
}

// A region is of one function, though the next follows at once.
func TestRegionsEndWithFunctions(t *testing.T) {
	f := newProgram("f", 0x1000).inc(5).inc(5).ret(1)
	g := newProgram("g", 0x1007).inc(4).ret()
	l := mustNew(t, asmOf(f.done(1), g.done(1)), Config{Hot: -1})
	if len(l.regions) != 2 || l.regions[0].fn.rec.Name != "f" || l.regions[0].samples[0] != 11 || l.regions[1].samples[0] != 4 {
		t.Errorf("regions are not f with 11 and g with 4 samples:\n%s", textOf(t, l, Options{}))
	}
}

// Jumps are what instructions do: a number that looks like an address is none.
func TestEdgesAreDecoded(t *testing.T) {
	a := asmOf(newProgram("f", 0x1000).inc(5).long(0x1000, 7).jump(0xeb, 3, 1).ret().done(1))
	o := objectOf(t, mustNew(t, a, Config{}))
	if want := []jsonEdge{{From: "0x100d", To: "0x100f", Inside: true}}; !slices.Equal(o.Regions[0].Edges, want) {
		t.Errorf("edges %v, want %v", o.Regions[0].Edges, want)
	}
}

// Lanes are shared by jumps that do not meet, and by those to one place.
func TestLanes(t *testing.T) {
	for _, c := range []struct {
		name    string
		edges   []edge
		most    int
		lanes   int
		omitted int
	}{
		{"one after the other", []edge{{0, 2}, {3, 5}, {9, 6}}, 10, 1, 0},
		{"meeting in a row", []edge{{0, 2}, {2, 4}}, 10, 2, 0},
		{"one in the other", []edge{{0, 9}, {2, 4}, {5, 7}}, 10, 2, 0},
		{"to one place", []edge{{0, 9}, {2, 9}, {12, 9}}, 10, 1, 0},
		{"to itself", []edge{{3, 3}}, 10, 0, 0},
		{"the longest are left out", []edge{{0, 9}, {1, 9}, {2, 5}, {3, 6}}, 2, 2, 2},
	} {
		lanes, omitted := pack(bundles(c.edges), c.most)
		if len(lanes) != c.lanes || omitted != c.omitted {
			t.Errorf("%s: %d lanes and %d jumps left out, want %d and %d", c.name, len(lanes), omitted, c.lanes, c.omitted)
		}
		checkLanes(t, c.edges, c.most)
	}
}

// TestGutter: every glyph, drawn.
func TestGutter(t *testing.T) {
	edges := []edge{{0, 7}, {5, 1}, {2, 5}, {3, 5}, {6, 6}}
	d := newGutter(newGlyphs(true), edges)
	var got []string
	for i := range 8 {
		got = append(got, d.row(i))
	}
	if s := strings.Join(got, "\n"); s != strings.TrimLeft(`
╭───
│╭─→
││╭─
││├─
│││ 
│╰┴→
│  ↺
╰──→`, "\n") {
		t.Errorf("drawn\n%s", s)
	}
	if s := d.between(5); s != "│││ " {
		t.Errorf("between rows: %q", s)
	}
}

// TestRefused: what cannot be shown is refused in words.
func TestRefused(t *testing.T) {
	none := asmOf(newProgram("f", 0x1000).inc().ret().done(1))
	outside := asmOf(newProgram("f", 0x1000).inc().ret().done(1))
	outside.Events[0].Outside = 412
	broken := loop()
	broken.Events[0].Samples++
	for _, c := range []struct {
		a    *record.Asm
		c    Config
		want string
		is   error
	}{
		{nil, Config{}, "no record", nil},
		{none, Config{}, "at 1000 Hz, 1000 need 1 s of CPU time", ErrNoSamples},
		{outside, Config{}, "all 412 were outside of the measured iterations", ErrNoSamples},
		{broken, Config{}, "2011 samples, and its functions have 2010", nil},
		{loop(), Config{Hot: 1.5, Syntax: "masm", Counts: "many"}, "hot: 1.5 is no share", nil},
		{loop(), Config{Syntax: "masm"}, `syntax "masm": not known; there are go, intel and att`, nil},
		{loop(), Config{Counts: "many"}, `counts "many"`, nil},
		{loop(), Config{Hot: math.NaN()}, "NaN is no share", nil},
	} {
		_, err := New(c.a, c.c)
		if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestWarnings: warnings are shown, each with its code.
func TestWarnings(t *testing.T) {
	codes := func(change func(a *record.Asm), c Config) string {
		a := loop()
		change(a)
		var out []string
		for _, w := range mustNew(t, a, c).Warnings() {
			out = append(out, w.Code)
		}
		return strings.Join(out, " ")
	}
	for _, c := range []struct {
		name   string
		change func(a *record.Asm)
		c      Config
		want   string
	}{
		{"none", func(*record.Asm) {}, Config{}, ""},
		{"lost", func(a *record.Asm) { a.Events[0].Lost = 21 }, Config{}, "lost"},
		{"hardly lost", func(a *record.Asm) { a.Events[0].Lost = 20 }, Config{}, ""},
		{"throttled", func(a *record.Asm) { a.Events[0].Throttled = 1 }, Config{}, "throttled"},
		{"window", func(a *record.Asm) { a.Window = record.AsmRough }, Config{}, "window"},
		{"cold", func(*record.Asm) {}, Config{Hot: 1}, "no-hot-region"},
		{"no clock", func(a *record.Asm) { a.Events[0].Period = 0 }, Config{Counts: PerOp}, "perop"},
		{"no operations", func(a *record.Asm) { a.Ops = 0 }, Config{Counts: PerOp}, "perop"},
		{"another machine", func(a *record.Asm) { a.Arch = "riscv64" }, Config{}, "no-disassembler"},
		{"nothing selected", func(*record.Asm) {}, Config{Func: regexp.MustCompile("nowhere")}, "no-function"},
		{"few", func(a *record.Asm) {
			f := newProgram("f", 0x1000).inc(999).ret().done(1)
			a.Funcs, a.Events[0].Samples, a.Events[0].Kernel = []record.AsmFunc{f}, 999, 0
		}, Config{}, "few-samples"},
		{"within instructions", func(a *record.Asm) {
			f := newProgram("f", 0x1000).long(0, 900).long(0).ret().done(1)
			f.Counts = append(f.Counts, record.AsmCount{Addr: 0x100d, N: []int64{200}})
			f.Samples[0] += 200
			a.Funcs, a.Events[0].Samples, a.Events[0].Kernel = []record.AsmFunc{f}, 1100, 0
		}, Config{}, "split"},
	} {
		if got := codes(c.change, c.c); got != c.want {
			t.Errorf("%s: warnings %q, want %q", c.name, got, c.want)
		}
	}
}

// TestThreshold: what the warning says to type does show the region.
func TestThreshold(t *testing.T) {
	for _, share := range []float64{1, 0.99, 0.5, 0.1, 0.099, 0.072, 0.0301, 0.01, 0.00123} {
		var x float64
		if _, err := fmt.Sscan(threshold(share), &x); err != nil || x >= share || x < share/3 {
			t.Errorf("threshold(%v) = %s", share, threshold(share))
		}
	}
}

// TestUnreadableCode: code that cannot be disassembled still has its samples in the lists.
func TestUnreadableCode(t *testing.T) {
	a := loop()
	a.Arch = "riscv64"
	l := mustNew(t, a, Config{})
	checkSums(t, l)
	if text := textOf(t, l, Options{}); !strings.Contains(text, "its code cannot be disassembled") {
		t.Error(text)
	}
}
