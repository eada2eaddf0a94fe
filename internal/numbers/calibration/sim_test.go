package calibration

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/tarebench/tare/record"
)

const (
	us = 1e3
	ms = 1e6
)

// machine is a simulated machine: how other processes disturb the measured one and the parent.
type machine struct {
	name      string
	slice     float64 // mean time that the process runs until it must wait, ns; 0: it never waits
	wait      float64 // mean wait, ns
	fixed     [2]float64
	late      float64 // share of results that the parent reads late
	lateness  float64 // mean, ns
	noCPU     bool    // the system does not report CPU times
	collector float64 // threads of the collector that wait during a collection
}

var (
	quiet    = machine{name: "quiet", fixed: [2]float64{0.2 * ms, 0.6 * ms}}
	twoHogs  = machine{name: "2 hogs", slice: 4 * ms, wait: 4 * ms, fixed: [2]float64{2 * ms, 8 * ms}, late: 0.3, lateness: 6 * ms, collector: 1}
	fourHogs = machine{name: "4 hogs", slice: 3 * ms, wait: 9 * ms, fixed: [2]float64{2 * ms, 8 * ms}, late: 0.5, lateness: 12 * ms, collector: 2}
)

// subject is a simulated benchmark.
type subject struct {
	name    string
	op      float64 // of which the timer sees all, ns
	power   float64 // exponent of the time over N; 0 means 1
	untimed float64 // of each operation, with the timer stopped, ns
	setup   float64 // of each call of the benchmark function, with the timer stopped, ns
	sleeps  bool
	threads float64 // CPU time per wall time while it works; 0 means 1
	spread  float64 // standard deviation of the logarithm of the cost of an operation, by iteration
	silent  bool    // reports no ns/op
}

// truth returns the N for which an iteration takes the target time on a quiet machine.
func (b subject) truth(target float64) float64 {
	return max(1, math.Pow(target/(b.op+b.untimed), 1/b.exponent()))
}

func (b subject) exponent() float64 { return max(1, b.power) }

// piece is a part of the life of a simulated process in which everything grows evenly.
type piece struct{ wall, cpu, delay float64 }

// process is a simulated process.
type process struct {
	rng    *rand.Rand
	m      machine
	pieces []piece
	now    float64
}

func (p *process) add(wall, cpu, delay float64) {
	p.pieces = append(p.pieces, piece{wall, cpu, delay})
	p.now += wall
}

// work uses the processor for some time, with waits. It returns the wall time.
func (p *process) work(ns, threads, waiting float64) float64 {
	begin := p.now
	for ns > 0 {
		run := ns
		if p.m.slice > 0 {
			run = min(ns, p.rng.ExpFloat64()*p.m.slice)
		}
		p.add(run, run*threads, run*waiting)
		if ns -= run; ns > 0 {
			wait := p.rng.ExpFloat64() * p.m.wait
			p.add(wait, 0, wait*(1+waiting))
		}
	}
	return p.now - begin
}

// call is one call of the benchmark function, as testing makes it. It returns what the timer saw.
func (p *process) call(b subject, n int64) float64 {
	p.work(p.m.fixed[0]+p.rng.Float64()*(p.m.fixed[1]-p.m.fixed[0]), 1, p.m.collector)
	if b.setup > 0 {
		p.work(b.setup, 1, 0)
	}
	op := b.op * math.Pow(float64(n), b.exponent()) * math.Exp(p.rng.NormFloat64()*b.spread)
	timed := 0.0
	switch {
	case b.sleeps:
		p.add(op, op/1000, 0)
		timed = op
		if p.m.slice > 0 {
			wait := p.rng.ExpFloat64() * p.m.wait
			p.add(wait, 0, wait)
			timed += wait
		}
	case b.untimed > 0: // the timer sees its share of the waits
		untimed := b.untimed * float64(n)
		timed = p.work(op+untimed, 1, 0) * op / (op + untimed)
	default:
		timed = p.work(op, max(1, b.threads), max(0, b.threads-1)*p.m.collector)
	}
	return timed + 60 // a clock read
}

// at returns the CPU time and the delay of the process until a time.
func (p *process) at(t float64) (cpu, delay float64) {
	for _, x := range p.pieces {
		if t <= 0 {
			break
		}
		part := min(1, t/max(x.wall, 1e-9))
		cpu, delay = cpu+x.cpu*part, delay+x.delay*part
		t -= x.wall
	}
	return cpu, delay
}

// fork runs count iterations of n operations, and returns the samples that the parent sees.
func (m machine) fork(rng *rand.Rand, b subject, n int64, count int) []*record.Sample {
	p := &process{rng: rng, m: m}
	p.work(5*ms, 1, 0)
	var out []*record.Sample
	var printed []float64
	for i := range count {
		timed := p.call(b, 1)
		if n > 1 {
			timed = p.call(b, n)
		}
		printed = append(printed, p.now)
		s := &record.Sample{Iter: i + 1, Ops: n, Ns: int64(timed)}
		if b.silent {
			s.Ns = 0
		}
		out = append(out, s)
	}
	var before, cpu, delay float64
	for i := 0; i < count; {
		arrival := printed[i] + 20*us
		if rng.Float64() < m.late {
			arrival += rng.ExpFloat64() * m.lateness
		}
		j := max(i+1, sort.SearchFloat64s(printed, arrival))
		c, d := p.at(arrival)
		out[i].Wall, out[i].CPU, out[i].Delay = int64(arrival-before), int64(c-cpu), max(1, int64(d-delay))
		for k := i; k < j && j > i+1; k++ {
			out[k].Batched = true
		}
		before, cpu, delay, i = arrival, c, d, j
	}
	for _, s := range out {
		if m.noCPU {
			s.CPU, s.Delay = 0, 0
		}
	}
	return out
}

// search searches N as a plan does, and returns the time of all forks.
func (m machine) search(rng *rand.Rand, b subject, target float64) (r Result, took float64) {
	s := &Search{target: target}
	for n, found := int64(1), false; !found; {
		samples := m.fork(rng, b, n, 5)
		for _, x := range samples {
			took += float64(x.Wall)
		}
		n, found = s.Next(n, Iterations(samples))
	}
	return s.Result(), took
}
