package listing

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"
)

// checkSums: every list adds up to all samples of every event, and every region to its
// instructions.
func checkSums(t testing.TB, l *Listing) {
	t.Helper()
	o := objectOf(t, l)
	n := len(o.Events)
	of := func(samples int64, counts []int64) []int64 {
		if n == 1 {
			return []int64{samples}
		}
		if len(counts) != n || counts[0] != samples {
			t.Fatalf("counts %v of %d samples and %d events", counts, samples, n)
		}
		return counts
	}
	all := make([]int64, n)
	for e := range o.Events {
		all[e] = o.Events[e].Samples
	}
	check := func(what string, sum []int64) {
		t.Helper()
		if !slices.Equal(sum, all) {
			t.Errorf("%s add up to %v, want %v", what, sum, all)
		}
	}
	add := func(sum, x []int64) {
		for e := range x {
			sum[e] += x[e]
		}
	}
	regions := make([]int64, n)
	for _, r := range o.Regions {
		insns := make([]int64, n)
		for _, in := range r.Insns {
			add(insns, of(in.Samples, in.Counts))
		}
		if !slices.Equal(insns, of(r.Samples, r.Counts)) {
			t.Errorf("region of %s: %d samples, and its instructions have %v", r.Func, r.Samples, insns)
		}
		add(regions, insns)
	}
	check("regions", regions)
	for what, rows := range map[string][]jsonRow{"functions": o.Functions, "symbols": o.Symbols, "areas": o.Areas} {
		sum := make([]int64, n)
		for _, r := range rows {
			add(sum, of(r.Samples, r.Counts))
		}
		check(what, sum)
	}
}

// checkOnce: no instruction is in two regions, and none that was found in no region.
func checkOnce(t testing.TB, l *Listing) {
	t.Helper()
	in := map[*function][]int{}
	for _, r := range l.regions {
		if in[r.fn] == nil {
			in[r.fn] = make([]int, len(r.fn.insts))
		}
		for i := r.from; i < r.to; i++ {
			in[r.fn][i]++
		}
	}
	for _, f := range l.funcs {
		for i := range f.insts {
			switch n := 0; {
			case in[f] == nil:
			default:
				if n = in[f][i]; n > 1 {
					t.Errorf("%s: instruction %d is in %d regions", f.rec.Name, i, n)
				}
				if n == 0 && f.sampled(i) {
					t.Errorf("%s: instruction %d has samples and is in no region", f.rec.Name, i)
				}
			}
		}
	}
}

// checkLanes: bundles of one lane have no row in common, every jump is in one bundle or
// was left out, and a bundle is only outside of another's lane if that was taken.
func checkLanes(t testing.TB, edges []edge, most int) {
	t.Helper()
	bs := bundles(edges)
	lanes, omitted := pack(bs, most)
	if len(lanes) > most {
		t.Fatalf("%d lanes, want %d at most", len(lanes), most)
	}
	overlap := func(a, b bundle) bool { return a.lo <= b.hi && b.lo <= a.hi }
	drawn := 0
	for i, lane := range lanes {
		for k, b := range lane {
			drawn += len(b.from)
			for _, from := range append(b.from, b.to) {
				if from < b.lo || from > b.hi {
					t.Errorf("bundle %+v has an end outside of its rows", b)
				}
			}
			for _, o := range lane[k+1:] {
				if overlap(b, o) {
					t.Errorf("lane %d: %+v and %+v overlap", i, b, o)
				}
			}
			for j := range lanes[:i] {
				if !slices.ContainsFunc(lanes[j], func(o bundle) bool { return overlap(b, o) }) {
					t.Errorf("%+v is in lane %d, though %d is free", b, i, j)
				}
			}
		}
	}
	selves := 0
	for _, e := range edges {
		if e.from == e.to {
			selves++
		}
	}
	if drawn+omitted+selves != len(edges) {
		t.Errorf("%d jumps drawn, %d left out and %d to themselves, of %d", drawn, omitted, selves, len(edges))
	}
}

func TestLanesRandom(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 500 {
		rows := 1 + rng.IntN(60)
		var edges []edge
		for from := range rows { // an instruction jumps to one place
			if rng.IntN(3) == 0 {
				edges = append(edges, edge{from, rng.IntN(rows)})
			}
		}
		checkLanes(t, edges, 1+rng.IntN(12))
		if t.Failed() {
			t.Fatalf("seed %d: edges %v", seed, edges)
		}
	}
}

// randomAsm is a record that may be, of code that may not.
func randomAsm(rng *rand.Rand) *record.Asm {
	events := 1 + rng.IntN(3)
	var funcs []record.AsmFunc
	long := strings.Repeat("long", rng.IntN(50))
	names := []string{"a.f" + long, "b.g[...]", "kernel", "c.(*T).h", ""}
	for range 1 + rng.IntN(5) {
		f := record.AsmFunc{Name: names[rng.IntN(len(names))], Area: []string{"user", "std", ""}[rng.IntN(3)], File: long + "/x.go", Entry: rng.Uint64() >> rng.IntN(64)}
		size := rng.IntN(600)
		if f.Entry+uint64(size) < f.Entry {
			f.Entry -= uint64(size)
		}
		if rng.IntN(4) > 0 {
			f.Code = make([]byte, size)
			for i := range f.Code { // many jumps, as in no program
				f.Code[i] = []byte{0x90, 0x75, 0xeb, 0xcc, 0xc3, 0xe8, byte(rng.IntN(256)), byte(rng.IntN(16)), byte(-rng.IntN(16))}[rng.IntN(9)]
			}
		}
		f.Samples = make([]int64, events)
		for a := range size {
			if rng.IntN(12) > 0 {
				continue
			}
			c := record.AsmCount{Addr: f.Entry + uint64(a), N: make([]int64, events)}
			for e := range c.N {
				c.N[e] = rng.Int64N(1 << rng.IntN(12))
				f.Samples[e] += c.N[e]
			}
			f.Counts = append(f.Counts, c)
		}
		for range rng.IntN(20) {
			from := f.Entry + rng.Uint64N(700)
			f.Lines = append(f.Lines, record.AsmLine{Addr: from, File: []string{"", "y.go"}[rng.IntN(2)], Line: rng.IntN(9) - 1})
			f.Inlines = append(f.Inlines, record.AsmInline{Name: names[rng.IntN(len(names))], CallLine: rng.IntN(5), Ranges: [][2]uint64{{from, from + rng.Uint64N(90)}, {from - 5, from + 5}}})
		}
		funcs = append(funcs, f)
	}
	a := asmOf(funcs...)
	a.Events = a.Events[:1]
	a.Binary, a.NoLines, a.Rejected = long, long, append(a.Rejected, long)
	for e := range events - 1 {
		a.Events = append(a.Events, record.AsmEvent{Name: "e" + long, Period: float64(e)})
	}
	for e := range a.Events {
		a.Events[e].Samples = 0
		for _, f := range funcs {
			a.Events[e].Samples += f.Samples[e]
		}
	}
	return a
}

func randomConfig(rng *rand.Rand) Config {
	c := Config{
		Hot: []float64{0, -1, 0.5}[rng.IntN(3)], Top: rng.IntN(5) - 1, Margin: rng.IntN(40) - 1, Merge: rng.IntN(40) - 1, TooBig: rng.IntN(3) - 1,
		Counts: []Counts{"", Raw, PerOp}[rng.IntN(3)], Syntax: []Syntax{"", Intel, ATT}[rng.IntN(3)],
	}
	if rng.IntN(3) == 0 {
		c.Func = regexp.MustCompile("^[ab]")
	}
	return c
}

func TestRandom(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 0))
	listings := 0
	for i := range 100 {
		a, c := randomAsm(rng), randomConfig(rng)
		if a.Events[0].Samples == 0 {
			continue
		}
		listings++
		l := mustNew(t, a, c)
		checkSums(t, l)
		checkOnce(t, l)
		for _, r := range l.regions {
			inside, _ := r.edges()
			checkLanes(t, inside, maxLanes)
		}
		o := Options{Title: strings.Repeat("title", rng.IntN(40)), Width: rng.IntN(160), UTF8: rng.IntN(2) == 0, Color: rng.IntN(2) == 0}
		checkLines(t, textOf(t, l, o), max(o.Width, termtext.LeastColumns), o)
		if t.Failed() {
			data, _ := json.Marshal(a)
			t.Fatalf("seed %d, round %d: config %+v, options %+v\n%s", seed, i, c, o, data)
		}
	}
	if listings < 50 {
		t.Errorf("only %d listings were made", listings)
	}
}

// FuzzNew: a record from a damaged file is refused or shown, and what is shown adds up.
func FuzzNew(f *testing.F) {
	for _, a := range []*record.Asm{loop(), twoEvents()} {
		data, err := json.Marshal(a)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var a record.Asm
		if json.Unmarshal(data, &a) != nil {
			t.Skip()
		}
		l, err := New(&a, Config{Hot: -1, Counts: []Counts{Percent, Raw, PerOp}[len(data)%3]})
		if err != nil {
			return
		}
		checkSums(t, l)
		checkOnce(t, l)
		o := Options{UTF8: len(data)%2 == 0}
		checkLines(t, textOf(t, l, o), termtext.DefaultColumns, o)
		if m, err := Compare([]*record.Asm{&a}, []*record.Asm{&a, &a}, Config{}); err == nil {
			checkComparison(t, m)
			compareText(t, m, o)
		}
	})
}
