package aatest

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A machine is a simulated one: its clock is fake, its noise seeded.
type machine struct {
	seed   uint64
	n      int           // values a side
	budget time.Duration // of the run
	names  []string      // of benchmarks; nil: one

	within  float64                 // sd of an iteration, on logarithms
	between float64                 // sd of a process
	weather func(t float64) float64 // what all share at second t, on logarithms
	pair    float64                 // sd of what the forks of a round share
	base    float64                 // ns/op; 0: 100
	fails   func(Step) bool
	sideB   float64 // what side B has more, on logarithms: never true of one binary

	rng    *rand.Rand
	now    int64
	pairOf map[int]float64
	id     int
	lines  []record.Line
}

func (m *machine) emit(l record.Line) { m.lines = append(m.lines, l) }

const (
	simStart = 5 * time.Millisecond
	simIter  = 20 * time.Millisecond
)

// run measures and returns the record.
func (m *machine) run(t testing.TB) []record.Line {
	t.Helper()
	m.rng = rand.New(rand.NewPCG(m.seed, 1))
	m.pairOf = map[int]float64{}
	m.now = 1e9
	if m.names == nil {
		m.names = []string{"X"}
	}
	if m.base == 0 {
		m.base = 100
	}
	m.header()
	seq := &Sequence{
		Seed: record.Seed(m.seed), Benchmarks: len(m.names), N: m.n, Budget: m.budget, Run: m.step,
		Now: func() time.Time { return time.Unix(0, m.now) },
	}
	stop, err := seq.Measure(context.Background(), nil)
	if err != nil {
		t.Fatalf("seed %d: %v", m.seed, err)
	}
	m.emit(&record.Overhead{Steal: 0.004})
	m.emit(&record.End{State: record.EndCompleted, Why: stop.Why})
	return m.lines
}

func (m *machine) header() {
	m.emit(&record.Run{
		Version: 1, Seed: record.Seed(m.seed), Command: []string{"tare", "selftest"},
		Config: record.Config{Order: Order, Forks: m.n, Warmup: 1, Iterations: 1, Time: simIter, Budget: m.budget},
		Env:    record.Env{OS: "linux", Arch: "amd64", CPU: "Simulated", Cores: 2, Go: "go1.26.0"},
	})
	for i, name := range m.names {
		m.emit(&record.Case{ID: 2*i + 1, Pkg: "sim", Name: name, Side: SideA, Bin: 1, Procs: 2, Mode: record.ModeN, N: 1})
		m.emit(&record.Case{ID: 2*i + 2, Pkg: "sim", Name: name, Side: SideB, Bin: 1, Procs: 2, Mode: record.ModeN, N: 1})
	}
	m.emit(&record.Overhead{Clock: 20, Loop: 0.3, Load: 0.9})
}

// step is one simulated process.
func (m *machine) step(_ context.Context, s Step) (bool, error) {
	m.id++
	start := m.now
	f := &record.Fork{ID: m.id, Order: m.id, Bin: 1, Case: 2*s.Benchmark + 1, Round: s.Round, Purpose: s.Purpose, Start: start, State: record.StateOK, Exit: "0", HarnessTime: 1e6}
	if s.Side == SideB {
		f.Case++
	}
	if m.fails != nil && m.fails(s) {
		m.now += int64(simStart)
		f.Wall, f.State, f.Why = int64(simStart), record.StateFailed, "panic: \x1b[31mboom"
		m.emit(f)
		return false, nil
	}
	shared := m.between * m.rng.NormFloat64()
	iters, warm := m.n, 0
	if s.Purpose == PurposeFork {
		if _, ok := m.pairOf[s.Round]; !ok {
			m.pairOf[s.Round] = m.pair * m.rng.NormFloat64()
		}
		shared += m.pairOf[s.Round]
		iters, warm = 2, 1
	}
	m.now += int64(simStart)
	for i := range iters {
		m.now += int64(simIter)
		x := shared + m.within*m.rng.NormFloat64()
		if s.Side == SideB {
			x += m.sideB
		}
		if m.weather != nil {
			x += m.weather(float64(m.now) / 1e9)
		}
		sample := &record.Sample{Fork: m.id, Iter: i + 1, Phase: record.PhaseMeasure, T: m.now, Wall: int64(simIter), Ops: 1,
			V: record.Values{{Unit: "ns/op", Value: m.base * math.Exp(x)}}}
		if i < warm {
			sample.Phase = record.PhaseWarmup
		}
		m.emit(sample)
	}
	f.Wall = m.now - start
	m.emit(f)
	return true, nil
}

// result is what the record says.
func (m *machine) result(t testing.TB) *Result {
	t.Helper()
	return analyse(m.run(t))
}

func analyse(lines []record.Line) *Result {
	r := dataOf(lines).Result()
	r.CutOff, r.Partial = true, "the record was cut off before the run's end"
	for _, l := range lines {
		switch l := l.(type) {
		case *record.Run:
			r.Run = l
		case *record.End:
			r.CutOff, r.Partial = false, ""
			if l.State == record.EndPartial {
				r.Partial = l.Why
			}
		}
	}
	return r
}

// dataOf are the numbers of a record, as package result takes them from it.
func dataOf(lines []record.Line) *Data {
	d, open, cases, numbers := &Data{}, map[int]*Process{}, map[int]*record.Case{}, map[string]int{}
	for _, l := range lines {
		switch l := l.(type) {
		case *record.Run:
			d.Window, d.Cores = l.Config.Forks, l.Env.Cores
		case *record.Overhead:
			d.Load, d.Steal = max(d.Load, l.Load), max(d.Steal, l.Steal)
		case *record.Case:
			cases[l.ID] = l
			if _, ok := numbers[l.Name]; !ok {
				numbers[l.Name] = d.AddBenchmark(l.Pkg, l.Name)
			}
		case *record.Sample:
			x, ok := l.V.Get("ns/op")
			if l.Phase != record.PhaseMeasure || l.Role != "" || !ok {
				continue
			}
			if open[l.Fork] == nil {
				open[l.Fork] = &Process{}
			}
			open[l.Fork].Values = append(open[l.Fork].Values, x)
			open[l.Fork].Measured += time.Duration(l.Wall)
		case *record.Fork:
			p, c := open[l.ID], cases[l.Case]
			if p == nil {
				p = &Process{}
			}
			if c == nil || l.State == record.StatePartial {
				continue
			}
			p.Benchmark, p.Usual, p.Side, p.Round = numbers[c.Name], l.Purpose == PurposeUsual, c.Side, l.Round
			p.Start, p.Wall, p.Overhead, p.Steal = l.Start, time.Duration(l.Wall), time.Duration(l.HarnessTime), time.Duration(l.Steal)
			p.Failed, p.Why = l.State != record.StateOK, l.Why
			d.Add(*p)
		}
	}
	return d
}

// near fails unless x is within tol of want.
func near(t testing.TB, what string, x, want, tol float64) {
	t.Helper()
	if !(math.Abs(x-want) <= tol) {
		t.Errorf("%s is %.4f, want %.4f ± %.4f", what, x, want, tol)
	}
}

// TestIndependentNoise: where processes do not differ and nothing drifts, both
// ways call as many windows different as the exact test does: 4.33 % at 10+10.
func TestIndependentNoise(t *testing.T) {
	const size = 0.0433
	for seed := range testutil.PickSeconds[uint64](1, 3) {
		r := (&machine{seed: seed, n: 10, within: 0.03, budget: 600 * 1400 * time.Millisecond}).result(t)
		if r.This.Windows < 400 || r.Usual.Windows < 400 {
			t.Fatalf("seed %d: only %d and %d windows", seed, r.This.Windows, r.Usual.Windows)
		}
		tol := 4 * math.Sqrt(size*(1-size)/float64(r.This.Windows))
		near(t, fmt.Sprintf("seed %d: rate of this way", seed), float64(r.This.Rate), size, tol)
		near(t, fmt.Sprintf("seed %d: rate of the usual way", seed), float64(r.Usual.Rate), size, tol)
		if r.Verdict.Fit != Fit {
			t.Errorf("seed %d: verdict %+v", seed, r.Verdict)
		}
	}
}

// TestProcessesDiffer: where each process has a speed of its own, as many
// windows of the usual way are wrong as with an ICC of 0.7 must be, and this way
// is as good as ever. The spread is found out.
func TestProcessesDiffer(t *testing.T) {
	const within, between = 0.02, 0.03
	r := (&machine{seed: 7, n: 10, within: within, between: between, budget: 10 * time.Minute}).result(t)
	if r.This.Hi > 0.10 || r.Verdict.Fit != Fit {
		t.Errorf("this way: %+v, verdict %+v", r.This, r.Verdict)
	}
	if r.Usual.Lo < 0.5 {
		t.Errorf("usual way: %+v, want far above 5 %%", r.Usual)
	}
	if r.Usual.Difference.Value < r.This.Difference.Value {
		t.Errorf("medians differ by %.3f this way, %.3f the usual way", r.This.Difference.Value, r.Usual.Difference.Value)
	}
	s := r.Benchmarks[0].Spread
	near(t, "within", float64(s.Within), within, 0.002)
	near(t, "between", float64(s.Between), between, 0.003)
	near(t, "ICC", float64(s.ICC), between*between/(between*between+within*within), 0.05)
	if s.Advice != AddForks || s.Processes != 2*r.Usual.Windows {
		t.Errorf("spread %+v", s)
	}
}

// TestDrift: a machine whose speed wanders makes the usual way fail, and this
// way not, for what drifts falls on both sides.
func TestDrift(t *testing.T) {
	weather := map[string]func(float64) float64{
		"throttling": func(t float64) float64 { return 0.10 * t },               // 10 % slower each second
		"waves":      func(t float64) float64 { return 0.15 * math.Sin(t*1.7) }, // a neighbour with a period of 4 s
	}
	for name, w := range weather {
		r := (&machine{seed: 11, n: 10, within: 0.02, weather: w, budget: 5 * time.Minute}).result(t)
		if r.Usual.Lo < 0.3 {
			t.Errorf("%s: usual way %+v, want far above 5 %%", name, r.Usual)
		}
		if r.This.Lo > Alpha || r.This.Rate > Alpha {
			t.Errorf("%s: this way %+v", name, r.This)
		}
	}
}

// TestPower: the smallest change is the one that fresh windows of the same noise
// find in 80 % of cases, and near what theory says of the U test.
func TestPower(t *testing.T) {
	for _, sd := range []float64{0.01, 0.05} {
		m := &machine{seed: 3, n: 10, within: sd, budget: 10 * time.Minute}
		r := m.result(t)
		d := float64(r.Smallest.Value)
		fresh := (&machine{seed: 4, n: 10, within: sd, budget: 10 * time.Minute})
		ws := dataOf(fresh.run(t)).list[0].forks.usable()
		slower := 0
		for _, w := range ws {
			if c := w.compare(d); c.P <= Alpha && c.Ratio > 1 {
				slower++
			}
		}
		near(t, fmt.Sprintf("sd %g: power of %g in fresh windows", sd, d), float64(slower)/float64(len(ws)), Power, 0.06)
		// 1.415 sd is what the exact U test at 10+10 finds in 80 % of normal samples
		// (by simulation of 4000; Student's t needs 1.32).
		theory := math.Expm1(1.415 * sd)
		near(t, fmt.Sprintf("sd %g: smallest change against theory", sd), d/theory, 1, 0.07)
		if !(float64(r.Smallest.Lo) < theory && theory < float64(r.Smallest.Hi)) {
			t.Errorf("sd %g: interval %+v lacks %g", sd, r.Smallest.Change, theory)
		}
		near(t, "scaled to 20 forks", float64(r.Smallest.Default.Value)/d, math.Sqrt(0.5), 0.02)
	}
}

// TestPairs: what the forks of a round share is found, and what they do not
// share is not.
func TestPairs(t *testing.T) {
	shared := (&machine{seed: 5, n: 10, within: 0.01, pair: 0.03, budget: 5 * time.Minute}).result(t).Pairs
	near(t, "correlation of pairs", float64(shared.Correlation[0]), 0.82, 0.05) // 0.9 of values, less of ranks in a small window
	near(t, "correlation one round later", float64(shared.Correlation[1]), -0.06, 0.05)
	if !shared.Pay || shared.Lo > shared.Correlation[0] || shared.Hi < shared.Correlation[0] {
		t.Errorf("%+v", shared)
	}
	alone := (&machine{seed: 6, n: 10, within: 0.03, budget: 5 * time.Minute}).result(t).Pairs
	for lag, c := range alone.Correlation {
		near(t, fmt.Sprintf("correlation at lag %d", lag), float64(c), 0, 0.05)
	}
	if alone.Pay {
		t.Errorf("%+v", alone)
	}
}

// TestAdvice: where processes do not differ, iterations are worth having.
func TestAdvice(t *testing.T) {
	r := (&machine{seed: 8, n: 10, within: 0.03, between: 0.003, budget: 5 * time.Minute}).result(t)
	if s := r.Benchmarks[0].Spread; s.Advice != AddIterations || !(s.Optimal > 5) {
		t.Errorf("spread %+v", s)
	}
}
