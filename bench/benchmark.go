package bench

import (
	"runtime"
	"strings"
	"sync"
	"testing"
)

// processState is the state of the process across calls: its benchmarks and the pipe to tare. It is global,
// because testing calls a benchmark function many times without passing anything from call to call.
type processState struct {
	mu         sync.Mutex
	benchmarks map[string]*benchmark
	busy       bool // a call is measuring; testing runs one benchmark at a time
	pipeWriter func() *pipeWriter
	overhead   func() int64
}

var process = processState{
	benchmarks: map[string]*benchmark{},
	pipeWriter: sync.OnceValue(newPipeWriter),
	overhead:   sync.OnceValue(latencyOverhead),
}

// A benchmark is the state of a benchmark function or sub-benchmark. Only the goroutine of the benchmark
// function uses it.
type benchmark struct {
	name   string     // as in testing, without "Benchmark"; "" under testing.Benchmark
	b      *testing.B // of the last call
	procs  int        // GOMAXPROCS of the last round
	rounds int        // number of testing.Bs so far: one per -count and -cpu
	calls  int        // calls of the function in this round
	n      int        // b.N at the beginning of the call

	open      bool     // the function is being called
	measured  bool     // a measuring function was called in this call
	trials    []*trial // in the order of their calls
	nextTrial int

	iter          int        // windows so far
	result        *result    // of the last one
	of            *testing.B // the testing.B of result
	shot          *shot      // nil: not fired
	announced     bool
	floorMeasured bool                     // empty bodies were measured
	floor         map[string]float64       // ns per Next of an empty body, by role
	steps         map[string]int64         // sampling step by role
	hists         map[string][]*latencySet // by role, one per worker
	warned        map[string]bool          // codes of warnings that were sent
}

// benchmarkOf returns the benchmark of b and updates its rounds and calls.
func benchmarkOf(b *testing.B) *benchmark {
	s := process.find(b)
	if s.b != b {
		s.b, s.calls = b, 0
		s.rounds++
		if procs := runtime.GOMAXPROCS(0); procs != s.procs { // floors and steps hold only for one GOMAXPROCS
			s.procs, s.floorMeasured = procs, false
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

func (p *processState) find(b *testing.B) *benchmark {
	name := strings.TrimPrefix(b.Name(), "Benchmark")
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.benchmarks[name]
	if s == nil || (name == "" && s.b != b) { // testing.Benchmark gives no names
		s = &benchmark{
			name: name, floor: map[string]float64{}, steps: map[string]int64{},
			hists: map[string][]*latencySet{}, warned: map[string]bool{},
		}
		p.benchmarks[name] = s
	}
	return s
}

// begin reports whether no other call in the process is measuring, and marks this one as measuring.
func (p *processState) begin() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	was := p.busy
	p.busy = true
	return !was
}

func (p *processState) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy = false
}

// beginCall begins a measuring call. It fails the benchmark if another one is measuring or has measured, or if
// b.Loop is used. The call ends with process.end.
func beginCall(b *testing.B, c call) *benchmark {
	b.Helper()
	if !process.begin() {
		b.Fatalf("bench: %v within the body of another benchmark of this package", c)
	}
	s := benchmarkOf(b)
	twice, loop := s.measured, usedLoop(b)
	s.measured = true
	if !twice && !loop {
		b.Cleanup(func() {
			if usedLoop(b) {
				b.Errorf("bench: b.Loop after %v in one benchmark function: use only one of them, each is a measured loop", c)
			}
		})
		return s
	}
	process.end()
	if twice {
		b.Fatalf("bench: %v is the second measuring call in one benchmark function; make them sub-benchmarks with b.Run", c)
	}
	b.Fatalf("bench: use either %v or b.Loop: each is a measured loop", c)
	return nil
}
