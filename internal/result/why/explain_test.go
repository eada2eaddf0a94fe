package why

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// program is a benchmark whose truth is known: CPU time and instructions per operation of each function, on both sides.
type program struct {
	functions []Function
	self      [2][]float64
}

// newProgram returns a program of 20 functions, with an allocator and a scheduler.
func newProgram(r *rand.Rand) *program {
	p := &program{}
	for i := range 20 {
		f := Function{Symbol: fmt.Sprintf("example.com/p.f%d", i), Kind: Own}
		switch i {
		case 18:
			f.Symbol, f.Kind = "runtime.mallocgc", Allocator
		case 19:
			f.Symbol, f.Kind = "runtime.schedule", Scheduler
		}
		ns := 50 * r.ExpFloat64()
		p.self[0], p.self[1] = append(p.self[0], ns), append(p.self[1], ns)
		f.Place = [2]Place{{f.Symbol, "p.go", 10 * i}, {f.Symbol, "p.go", 10*i + 3}}
		p.functions = append(p.functions, f)
	}
	return p
}

// evidence draws samples, and adds errors to times. Instructions are three a nanosecond, and exact.
func (p *program) evidence(r *rand.Rand, samples int) *Evidence {
	e := &Evidence{Counted: true}
	for side := range 2 {
		sum := 0.0
		for _, x := range p.self[side] {
			sum += x
		}
		const spread = 0.004
		measure := func() Measure { return Measure{sum * (1 + spread*r.NormFloat64()), spread * sum} }
		e.Wall[side], e.CPU[side], e.Samples[side] = measure(), measure(), int64(samples)
		left, mass := samples, sum
		for i := range p.functions {
			f := &p.functions[i]
			if f.Instructions[side] == 0 {
				f.Instructions[side] = 3 * p.self[side][i]
			}
			n := binomial(r, left, p.self[side][i]/mass)
			f.Samples[side], left, mass = float64(n), left-n, mass-p.self[side][i]
		}
	}
	e.Functions = p.functions
	return e
}

func binomial(r *rand.Rand, n int, p float64) (hits int) {
	for range n {
		if r.Float64() < p {
			hits++
		}
	}
	return hits
}

// slower makes a function of a program slower by a share of the whole.
func (p *program) slower(i int, share float64) {
	sum := 0.0
	for _, x := range p.self[0] {
		sum += x
	}
	p.self[1][i] += share * sum
}

// TestPlanted: a planted cause is the first that is named, and the interval of its share holds 1 as often as it should.
func TestPlanted(t *testing.T) {
	for _, test := range []struct {
		name  string
		plant func(p *program, e *Evidence)
		at    int
		want  CauseKind
		what  string
	}{
		{"instructions", func(*program, *Evidence) {}, 4, CauseInstructions, "p.f4 executes more instructions"},
		{"calls", func(p *program, e *Evidence) {
			f := &e.Functions[4]
			for range 3 {
				f.Lines = append(f.Lines, Line{Instructions: [2]float64{f.Instructions[0] / 3, f.Instructions[1] / 3}})
			}
			same := map[string]Code{f.Symbol: {Digest: "1"}}
			e.Code = [2]map[string]Code{same, same}
		}, 4, CauseCalls, "times as often"},
		{"inlining", func(p *program, e *Evidence) {
			f := e.Functions[5].Symbol
			e.Notes = []Note{{Kind: Inlined, Side: 0, In: e.Functions[4].Symbol, Callee: f, Text: "cost 99 exceeds budget 80", Place: Place{"", "p.go", 41}}}
		}, 5, CauseInlining, "p.f5 is no longer inlined into p.f4"},
		{"bounds", func(p *program, e *Evidence) {
			e.Notes = []Note{{Kind: Bounds, Side: 1, In: e.Functions[4].Symbol, Place: Place{"", "p.go", 44}}}
		}, 4, CauseBounds, "p.f4 has 1 more bounds check"},
		{"escape", func(p *program, e *Evidence) {
			e.Sites = []Site{{Place: [2]Place{{"example.com/p.f7", "p.go", 70}, {"example.com/p.f7", "p.go", 73}}, Type: "p.item", Objects: [2]float64{0, 5}, Bytes: [2]float64{0, 80}}}
			e.Notes = []Note{{Kind: Escapes, Side: 1, In: "example.com/p.f7", Text: "moved to heap: it", Place: Place{"", "p.go", 73}}}
		}, 18, CauseEscape, "p.item is on the heap now, in p.f7"},
		{"allocations", func(p *program, e *Evidence) {
			e.Sites = []Site{{Place: [2]Place{{"example.com/p.f7", "p.go", 70}, {"example.com/p.f7", "p.go", 73}}, Type: "[]byte", Objects: [2]float64{2, 5}, Bytes: [2]float64{32, 80}}}
		}, 18, CauseAllocations, "p.f7 allocates more objects of type []byte"},
		{"size", func(p *program, e *Evidence) {
			e.Sites = []Site{{Place: [2]Place{{"example.com/p.f7", "p.go", 70}, {"example.com/p.f7", "p.go", 73}}, Type: "[]byte", Objects: [2]float64{2, 2}, Bytes: [2]float64{64, 1024}}}
		}, 18, CauseSize, "p.f7 allocates larger objects of type []byte"},
		{"same instructions", func(p *program, e *Evidence) {
			e.Functions[4].Instructions[1] = e.Functions[4].Instructions[0]
		}, 4, CauseSlower, "p.f4 takes more time"},
	} {
		t.Run(test.name, func(t *testing.T) {
			seed := rand.Uint64()
			r := rand.New(rand.NewPCG(seed, 1))
			const runs = 200
			first, holds := 0, 0
			for range runs {
				p := newProgram(r)
				p.slower(test.at, 0.25)
				e := p.evidence(r, 4000)
				test.plant(p, e)
				a := Explain(e, LeastShare)
				if len(a.Causes) > 0 && a.Causes[0].Kind == test.want && strings.Contains(a.Causes[0].What, test.what) {
					first++
					if s := a.Causes[0].Share; s.Lo <= 1 && 1 <= s.Hi {
						holds++
					}
				}
			}
			if first < runs*9/10 || holds < first*85/100 {
				t.Errorf("seed %d: the planted cause is first in %d of %d, its share holds 1 in %d", seed, first, runs, holds)
			}
		})
	}
}

// TestNothing: the same code compared with itself has no cause, although its times differ by chance.
func TestNothing(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 2))
	named := 0
	const runs = 300
	for range runs {
		p := newProgram(r)
		e := p.evidence(r, 4000)
		for i := range e.Functions {
			f := &e.Functions[i]
			f.Instructions[1] *= 1 + 0.0002*r.NormFloat64()
			if f.Kind != Own {
				f.Instructions[1] *= 1 + 0.003*r.NormFloat64()
			}
		}
		e.Sites = []Site{{Objects: [2]float64{3, 3.01}, Bytes: [2]float64{48, 48.1}}}
		for _, c := range Explain(e, LeastShare).Causes {
			if !c.Where {
				named++
			}
		}
	}
	if named > runs/30 {
		t.Errorf("seed %d: %d causes named in %d pairs of the same code", seed, named, runs)
	}
}

// TestAddsUp: the shares of all groups and the rest are the whole.
func TestAddsUp(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 3))
	for range 100 {
		p := newProgram(r)
		p.slower(3, 0.2)
		p.slower(9, 0.1)
		a := Explain(p.evidence(r, 20_000), 0)
		sum := a.Rest.Value
		for _, c := range a.Causes {
			sum += c.Share.Value
		}
		if math.Abs(sum-1) > 0.03 { // a cause whose own interval includes 0 is left out
			t.Errorf("seed %d: shares add up to %g: %+v", seed, sum, a)
		}
	}
}

// TestSmall: below a tenth, shares are of instructions.
func TestSmall(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 4))
	p := newProgram(r)
	p.slower(3, 0.02)
	a := Explain(p.evidence(r, 1000), LeastShare)
	if a.Basis != OfInstructions || len(a.Causes) != 1 || math.Abs(a.Causes[0].Share.Value-1) > 1e-9 {
		t.Errorf("seed %d: %+v", seed, a)
	}
}

// TestMachine: where the machine is at fault, only counts name causes.
func TestMachine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	p := newProgram(r)
	p.slower(3, 0.5)
	e := p.evidence(r, 1000)
	e.Machine = "others had the processors for 30 % of the time"
	e.Waits = []Wait{{Cause: Lock, Own: true, Time: [2]Measure{{0, 0}, {e.Wall[0].Value / 2, 1}}}}
	if a := Explain(e, LeastShare); len(a.Causes) != 1 || !a.Causes[0].Exact || a.Basis != OfInstructions || len(a.Notes) != 1 {
		t.Errorf("%+v", a)
	}
	e.Counted = false
	if a := Explain(e, LeastShare); len(a.Causes) != 0 || len(a.Notes) != 1 || a.Rest.Value != 1 {
		t.Errorf("%+v", a)
	}
}

// TestWaits: an increase of the benchmark's waiting time is a cause of the wall time's difference.
func TestWaits(t *testing.T) {
	e := &Evidence{Wall: [2]Measure{{1000, 5}, {1500, 5}}, Waits: []Wait{
		{Cause: Lock, Own: true, Place: Place{Func: "example.com/p.get"}, Holder: Place{Func: "example.com/p.put"}, Time: [2]Measure{{100, 10}, {580, 10}}},
		{Cause: Channel, Own: true, Place: Place{Func: "example.com/p.recv"}, Time: [2]Measure{{100, 10}, {104, 10}}},
	}}
	a := Explain(e, LeastShare)
	if len(a.Causes) != 1 || !strings.Contains(a.Causes[0].What, "p.get waits longer for a lock that p.put holds") || math.Abs(a.Causes[0].Share.Value-0.96) > 1e-9 || math.Abs(a.Rest.Value-0.04) > 1e-9 {
		t.Errorf("%+v", a)
	}
}

// TestWaitsOfOthers: goroutines that wait side by side wait longer together than the clock goes; their share is not known.
func TestWaitsOfOthers(t *testing.T) {
	e := &Evidence{Wall: [2]Measure{{1000, 5}, {1500, 5}}, Waits: []Wait{{Cause: Channel, Place: Place{Func: "example.com/p.recv"}, Time: [2]Measure{{100, 10}, {2100, 10}}}}}
	a := Explain(e, LeastShare)
	if len(a.Causes) != 1 || !math.IsNaN(a.Causes[0].Share.Value) || a.Causes[0].Share.Hi != 1 || a.Rest.Value != 1 {
		t.Errorf("%+v", a)
	}
}

// TestDisagrees: a function that executes more instructions and takes less time is no cause of the slowdown, nor of a speed-up.
func TestDisagrees(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 7))
	p := newProgram(r)
	p.slower(3, 0.5)
	p.self[0][4] += 200
	e := p.evidence(r, 20_000)
	e.Functions[4].Instructions[1] = 2 * e.Functions[4].Instructions[0]
	for _, c := range Explain(e, 0).Causes {
		if c.Func == e.Functions[4].Symbol {
			t.Errorf("seed %d: %+v", seed, c)
		}
	}
}

// TestRan: where the benchmark's goroutine slept for most of the difference, its code explains only what it ran.
func TestRan(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 8))
	p := newProgram(r)
	p.slower(3, 0.25)
	e := p.evidence(r, 20_000)
	ran := e.Wall[1].Value - e.Wall[0].Value
	e.Running = e.Wall
	e.Wall[1].Value += 3 * ran // a quarter of the difference is code
	e.Waits = []Wait{{Cause: Sleep, Own: true, Place: Place{Func: "example.com/p.f1"}, Time: [2]Measure{{}, {3 * ran, 0.01 * ran}}}}
	a := Explain(e, LeastShare)
	if len(a.Causes) != 2 || a.Causes[0].Kind != CauseWait || a.Causes[1].Func != p.functions[3].Symbol {
		t.Fatalf("seed %d: %+v", seed, a.Causes)
	}
	if s := a.Causes[1].Share; math.Abs(a.Causes[0].Share.Value-0.75) > 0.03 || s.Value > 0.35 || s.Value < 0.15 || math.Abs(a.Rest.Value) > 0.15 {
		t.Errorf("seed %d: %+v, rest %+v", seed, a.Causes, a.Rest)
	}
}

// TestLayout: identical code that is as fast at other addresses has its layout as the cause; code that differs never.
func TestLayout(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	p := newProgram(r)
	p.slower(3, 0.3)
	e := p.evidence(r, 4000)
	e.Code = [2]map[string]Code{{}, {}}
	for i := range e.Functions {
		f := &e.Functions[i]
		f.Instructions[1] = f.Instructions[0]
		e.Code[0][f.Symbol], e.Code[1][f.Symbol] = Code{Digest: f.Symbol}, Code{Digest: f.Symbol}
	}
	w := e.Wall[0].Value
	e.Layouts = &Layouts{Range: [2][2]float64{{w, 1.4 * w}, {0.95 * w, 1.35 * w}}, Ratio: Measure{1.01, 0.03}}
	if a := Explain(e, LeastShare); len(a.Causes) != 1 || a.Causes[0].Kind != CauseLayout || a.Causes[0].Share.Value < 0.9 {
		t.Errorf("%+v", a)
	}
	e.Code[1][e.Functions[3].Symbol] = Code{Digest: "other"}
	for _, c := range Explain(e, LeastShare).Causes {
		if c.Kind == CauseLayout {
			t.Errorf("%+v", c)
		}
	}
}
