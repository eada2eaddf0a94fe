package bench

import (
	"runtime"
	"strings"
	"sync"
	"testing"
)

// process is what is true of the process, not of one call: how often a benchmark
// was measured in it, what lives on from one of its windows to the next, and
// whether tare is listening. There is one, because testing calls a benchmark
// function many times and tells it nothing of the calls before.
type process struct {
	mu       sync.Mutex
	subjects map[string]*subject
	busy     bool // measuring; testing runs one benchmark at a time
	speaker  func() *speaker
	tare     func() int64
}

var this = process{
	subjects: map[string]*subject{},
	speaker:  sync.OnceValue(newSpeaker),
	tare:     sync.OnceValue(weighLatency),
}

// A subject is one benchmark: a benchmark function, or a sub-benchmark. It is
// used by the goroutine of the benchmark function alone.
type subject struct {
	name   string     // as testing has it, without "Benchmark"; "" of testing.Benchmark
	b      *testing.B // of the last call
	procs  int        // GOMAXPROCS of the last round
	rounds int        // testing.Bs so far: one per -count and -cpu
	calls  int        // calls of the function in this round
	n      int        // b.N at the beginning of the call

	open      bool     // the function is being called
	measured  bool     // it has measured in this call
	trials    []*trial // in the order of their calls
	nextTrial int

	iter      int        // windows so far
	result    *result    // of the last one
	of        *testing.B // whose result it is
	shot      *shot      // nil: not fired
	announced bool
	weighed   bool                 // empty bodies were measured
	floor     map[string]float64   // ns per Next of an empty body, by role
	steps     map[string]int64     // sampling step by role
	tracks    map[string][]*tracks // by role, one per worker
	doubted   map[string]bool      // codes of warnings that were sent
}

// subjectOf finds the benchmark that b is, and follows it through its calls.
func subjectOf(b *testing.B) *subject {
	s := this.find(b)
	if s.b != b {
		s.b, s.calls = b, 0
		s.rounds++
		if procs := runtime.GOMAXPROCS(0); procs != s.procs { // what was found out holds for others
			s.procs, s.weighed = procs, false
			clear(s.floor)
			clear(s.steps)
		}
	}
	if !s.open {
		s.open = true
		s.calls++
		s.n = b.N
		b.Cleanup(func() { s.open, s.measured, s.nextTrial = false, false, 0 })
	}
	return s
}

func (p *process) find(b *testing.B) *subject {
	name := strings.TrimPrefix(b.Name(), "Benchmark")
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.subjects[name]
	if s == nil || (name == "" && s.b != b) { // testing.Benchmark gives no names
		s = &subject{
			name: name, floor: map[string]float64{}, steps: map[string]int64{},
			tracks: map[string][]*tracks{}, doubted: map[string]bool{},
		}
		p.subjects[name] = s
	}
	return s
}

// begin takes the right to measure, which one call in the process has at a time.
func (p *process) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := p.busy
	p.busy = true
	return !was
}

func (p *process) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy = false
}

// enter begins a measuring call of a benchmark function and fails the benchmark
// if it is one too many. The call ends with this.end.
func enter(b *testing.B, c call) *subject {
	b.Helper()
	if !this.begin() {
		b.Fatalf("bench: %v within the body of another benchmark of this package", c)
	}
	s := subjectOf(b)
	twice, loop := s.measured, usedLoop(b)
	s.measured = true
	if !twice && !loop {
		b.Cleanup(func() {
			if usedLoop(b) {
				b.Errorf("bench: b.Loop after %v in one benchmark function: each is the loop that is measured", c)
			}
		})
		return s
	}
	this.end()
	if twice {
		b.Fatalf("bench: %v is the second call that measures in one benchmark function; make them sub-benchmarks with b.Run", c)
	}
	b.Fatalf("bench: %v and b.Loop exclude each other: each is the loop that is measured", c)
	return nil
}
