package calls

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// watched is a trace of examples/watched.
func watched(t testing.TB) *record.Trace {
	t.Helper()
	data, err := os.ReadFile("testdata/watched.json")
	if err != nil {
		t.Fatal(err)
	}
	var tr record.Trace
	if err := json.Unmarshal(data, &tr); err != nil {
		t.Fatal(err)
	}
	return &tr
}

func mustNew(t testing.TB, tr *record.Trace, c Config) *Calls {
	t.Helper()
	out, err := New(tr, c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// texter is what can be shown to people.
type texter interface {
	Text(w io.Writer, o Options) error
}

func textOf(t testing.TB, x texter, o Options) string {
	t.Helper()
	var b strings.Builder
	if err := x.Text(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Costs of the probes of a made-up program, in ns.
const (
	inside  = 10.0
	outside = 24.0
)

// program runs what is no program: calls on goroutines with a clock of their own, and
// keeps what probes would.
type program struct {
	t      *record.Trace
	g      int64
	now    float64 // as the clock shows it
	real   float64 // without probes
	steps  int     // of the path that are kept
	active []int64 // calls under way of each function, on this goroutine
	seen   []int64 // the last goroutine that called each
}

func newProgram(steps int, names ...string) *program {
	p := &program{steps: steps, active: make([]int64, len(names)), seen: make([]int64, len(names)), t: &record.Trace{
		Mode: record.TraceExact, Clock: record.TraceCycles, Tick: 0.5, Ended: true, Binary: "m", Version: "go1.26.8",
		Probe: record.TraceProbe{Outside: outside, Inside: inside},
	}}
	for i, n := range names {
		p.t.Funcs = append(p.t.Funcs, record.TraceFunc{Name: n, File: "m/m.go", Line: 10 * (i + 1)})
	}
	return p
}

// start begins a goroutine.
func (p *program) start() {
	p.t.Goroutines++
	p.g = p.t.Goroutines
	clear(p.active)
}

// work takes some ns.
func (p *program) work(ns float64) { p.now += ns; p.real += ns }

// node finds or makes what calls of a function below an element are; to is where its own
// calls go.
func (p *program) node(parent, fn int) (at, to int) {
	back := 0
	up := parent
	for n := 1; up >= 0; n++ {
		if p.t.Tree[up].Func == fn {
			back = n
			break
		}
		up = p.t.Tree[up].Parent
	}
	at = -1
	for i, c := range p.t.Tree {
		if c.Parent == parent && c.Func == fn {
			at = i
		}
	}
	if at < 0 {
		at = len(p.t.Tree)
		p.t.Tree = append(p.t.Tree, record.TraceCall{Func: fn, Parent: parent, Back: back})
	}
	if back > 0 {
		return at, up
	}
	return at, at
}

// call calls a function from an element of the tree, -1 at first.
func (p *program) call(parent, fn int, body func(at int)) {
	at, to := p.node(parent, fn)
	step := -1
	if len(p.t.Path) < p.steps {
		step = len(p.t.Path)
		p.t.Path = append(p.t.Path, record.TraceStep{Func: fn, Goroutine: p.g, Length: -1})
	} else {
		p.t.PathMore++
	}
	p.now += (outside - inside) / 2
	begin, real := p.now, p.real
	if step >= 0 {
		p.t.Path[step].Begin = begin
	}
	p.now += inside
	p.active[fn]++
	body(to)
	p.active[fn]--
	d, r := p.now-begin, p.real-real
	if step >= 0 {
		p.t.Path[step].Length = d
	}
	p.now += (outside - inside) / 2
	p.count(at, to, parent, fn, d, r)
}

// count adds a call that took d by the clock, and r of that without probes.
func (p *program) count(at, to, parent, fn int, d, r float64) {
	n := &p.t.Tree[at]
	n.Calls++
	n.Timed++
	n.Total += d
	n.Corrected += r
	p.t.Tree[to].Self += d
	p.t.Tree[to].CorrectedSelf += r
	f := &p.t.Funcs[fn]
	f.Self += d
	f.CorrectedSelf += r
	if parent >= 0 {
		p.t.Tree[parent].Self -= d
		p.t.Tree[parent].CorrectedSelf -= r
		g := &p.t.Funcs[p.t.Tree[parent].Func]
		g.Self -= d
		g.CorrectedSelf -= r
	}
	p.t.Calls++
	f.Calls++
	f.Timed++
	if p.active[fn] == 0 {
		f.Total += d
		f.Corrected += r
	}
	if f.Timed == 1 {
		f.Min, f.Max = d, d
	}
	f.Min, f.Max = min(f.Min, d), max(f.Max, d)
	off := d - f.Mean
	f.Mean += off / float64(f.Timed)
	f.Squares += off * (d - f.Mean)
	if p.seen[fn] != p.g {
		p.seen[fn] = p.g
		f.Goroutines++
	}
	p.bucket(f, d)
}

// bucket counts a call in a histogram with buckets of a power of two.
func (p *program) bucket(f *record.TraceFunc, d float64) {
	from := decadeOf2(d)
	for i := range f.Hist {
		if f.Hist[i].From == from {
			f.Hist[i].N++
			return
		}
	}
	at := 0
	for at < len(f.Hist) && f.Hist[at].From < from {
		at++
	}
	f.Hist = append(f.Hist[:at:at], append([]record.TraceBucket{{From: from, To: 2 * from, N: 1}}, f.Hist[at:]...)...)
}

func decadeOf2(x float64) float64 {
	p := 1.0
	for 2*p <= x {
		p *= 2
	}
	return p
}

// done is the trace.
func (p *program) done() *record.Trace {
	for i := range p.t.Funcs {
		f := &p.t.Funcs[i]
		f.Dominated = f.Total > 0 && f.Corrected < 0.2*f.Total
		p.t.Added += float64(f.Timed) * outside
		f.Self, f.CorrectedSelf = max(f.Self, 0), max(f.CorrectedSelf, 0)
	}
	for i := range p.t.Tree {
		e := &p.t.Tree[i]
		e.Self, e.CorrectedSelf = max(e.Self, 0), max(e.CorrectedSelf, 0)
	}
	return p.t
}

// random is the trace of a program of chance: recursion, several goroutines.
func random(rng *rand.Rand, recursive bool) *record.Trace {
	var names []string
	for i := range 1 + rng.IntN(8) {
		names = append(names, fmt.Sprintf("example.com/m/p%d.(*T%d).f%d%s", i%3, i%2, i, strings.Repeat("x", rng.IntN(60))))
	}
	p := newProgram(rng.IntN(100), names...)
	left := 300
	var run func(at, depth, least int)
	run = func(at, depth, least int) {
		p.work(float64(rng.IntN(1 << rng.IntN(30))))
		for rng.IntN(3) > 0 && depth < 12 && left > 0 {
			left--
			fn := rng.IntN(len(names))
			if !recursive {
				if least+1 >= len(names) {
					return
				}
				fn = least + 1 + rng.IntN(len(names)-least-1)
			}
			p.call(at, fn, func(at int) { run(at, depth+1, fn) })
			p.work(float64(rng.IntN(1000)))
		}
	}
	for range 1 + rng.IntN(4) {
		p.start()
		for range 1 + rng.IntN(5) {
			fn := rng.IntN(len(names))
			p.call(-1, fn, func(at int) { run(at, 0, fn) })
		}
	}
	return p.done()
}

// mutual is a program in which even and odd call each other, and a leaf.
func mutual() *record.Trace {
	p := newProgram(6, "main.even", "main.odd", "main.leaf", "main.main", "main.never")
	p.start()
	var even, odd func(at, n int)
	even = func(at, n int) {
		p.call(at, 0, func(at int) {
			p.work(200)
			if n > 0 {
				odd(at, n-1)
			}
		})
	}
	odd = func(at, n int) {
		p.call(at, 1, func(at int) {
			p.work(300)
			p.call(at, 2, func(int) { p.work(1) })
			even(at, n-1)
		})
	}
	p.call(-1, 3, func(at int) {
		p.work(5e6)
		even(at, 2000)
	})
	p.start()
	p.call(-1, 2, func(int) { p.work(900) })
	t := p.done()
	t.Inlined = []string{"main.leaf", "main.never"}
	return t
}
