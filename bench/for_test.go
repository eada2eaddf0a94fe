package bench

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
	"weak"
)

// fakeWorld has a clock that moves when f is run, by what f takes, and at each
// reading, by what the reading takes. It notes the batches.
type fakeWorld struct {
	t, step, read int64
	calls         int
	at            []int // calls before each reading
	cycle         uint64
}

func (w *fakeWorld) now() int64 {
	w.t += w.read
	w.at = append(w.at, w.calls)
	return w.t / w.step * w.step
}

// run is forDrive in this world, with bodies that take cost(i) ns.
func (w *fakeWorld) run(d time.Duration, cost func(i int) int64) *forState {
	s := newForState(d, forWorld{
		now:          w.now,
		measureFloor: func() (Overhead, int64) { return Overhead{Read: float64(w.read)}, w.step },
		collect:      func() bool { return true },
		cycles:       func() uint64 { w.cycle++; return w.cycle },
	})
	forDrive(forRun{d: d, state: s}, func() { w.t += cost(w.calls); w.calls++ }, forNext)
	return s
}

// batches returns the lengths of the measured batches: the warm-up call comes
// before the first reading.
func (w *fakeWorld) batches() (n []int) {
	for i := 1; i < len(w.at); i++ {
		if b := w.at[i] - w.at[i-1]; b > 0 {
			n = append(n, b)
		}
	}
	return n
}

func constant(ns int64) func(int) int64 { return func(int) int64 { return ns } }

func TestForAdaptsBatches(t *testing.T) {
	const ms = int64(time.Millisecond)
	tests := []struct {
		name        string
		cost, step  int64
		d           int64
		least, most int64 // ns per batch, once it has grown
	}{
		{"1 ns", 1, 1, 10 * ms, 25_000, 100_000},
		{"1 µs", 1000, 1, 100 * ms, 25_000, 100_000},
		{"as long as a batch", 60_000, 1, 100 * ms, 60_000, 60_000},
		{"slow", 3 * ms, 1, 100 * ms, 3 * ms, 3 * ms},
		{"slower than asked", 300 * ms, 1, 100 * ms, 300 * ms, 300 * ms},
		{"coarse clock", 10, 1000, 20 * ms, 50_000, 200_000},
		{"very coarse clock", 1000, ms, 2000 * ms, 50 * ms, 200 * ms},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &fakeWorld{step: tt.step, read: 20}
			r := w.run(time.Duration(tt.d), constant(tt.cost)).result
			b := w.batches()
			longest := int64(0)
			for i, n := range b {
				ns := int64(n) * tt.cost
				longest = max(longest, ns)
				grows := i+1 < len(b) && b[i+1] > n
				if ns > tt.most || (ns < tt.least && !grows && i < len(b)-1) {
					t.Errorf("batch %d of %d lasts %d ns, want %d … %d", i, len(b), ns, tt.least, tt.most)
				}
			}
			if int64(w.calls) != r.Iterations+1 {
				t.Errorf("%d calls for %d iterations", w.calls, r.Iterations)
			}
			if r.Reads != int64(len(b)) {
				t.Errorf("%d readings said for %d batches", r.Reads, len(b))
			}
			if e := int64(r.Elapsed); e < tt.d || e > tt.d+longest+tt.step+100 {
				t.Errorf("ended after %d ns, asked for %d with batches of %d", e, tt.d, longest)
			}
			// All that is not f is one reading of the clock per batch.
			if off := r.NsPerOp*float64(r.Iterations) - float64(r.Iterations*tt.cost+r.Reads*w.read); off > float64(tt.step) || off < -float64(tt.step) {
				t.Errorf("%v ns per iteration of %d ns, %v ns off", r.NsPerOp, tt.cost, off)
			}
		})
	}
}

// TestForIdentities runs bodies of all paces, also changing ones.
func TestForIdentities(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %#x", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		w := &fakeWorld{step: 1 + rnd.Int64N(100), read: 5 + rnd.Int64N(50)}
		d := time.Duration(rnd.Int64N(int64(time.Millisecond)))
		slow := int64(1) << rnd.IntN(22)
		s := w.run(d, func(int) int64 { return 1 + rnd.Int64N(slow) })
		r := s.result
		sum := forGroup{}
		for _, g := range s.groups {
			sum.add(g)
		}
		switch {
		case int64(w.calls) != r.Iterations+1 || r.Iterations < 1:
			t.Fatalf("%d calls, %d iterations", w.calls, r.Iterations)
		case sum.n != r.Iterations || sum.ns != int64(r.Elapsed):
			t.Fatalf("groups hold %+v, the result %d in %d", sum, r.Iterations, r.Elapsed)
		case r.Elapsed < d:
			t.Fatalf("elapsed %v, asked for %v", r.Elapsed, d)
		case cap(s.groups) != forGroups+2 || r.Groups != len(s.groups):
			t.Fatalf("%d groups said, %d there, place for %d", r.Groups, len(s.groups), cap(s.groups))
		case r.Groups < 6 && (r.Confidence != 0 || r.Lo != 0 || r.Hi != 0):
			t.Fatalf("interval from %d groups: %+v", r.Groups, r)
		case r.Groups >= 6 && (r.Confidence < 0.95 || r.Lo > r.Median || r.Median > r.Hi):
			t.Fatalf("no interval, or a wrong one: %+v", r)
		}
	}
}

func TestForOfNoDuration(t *testing.T) {
	for _, d := range []time.Duration{0, -time.Second} {
		calls := 0
		if r := For(d, func() { calls++; time.Sleep(time.Microsecond) }); r.Iterations != 1 || calls != 2 || r.Elapsed <= 0 {
			t.Errorf("%v: %d calls, %+v", d, calls, r)
		}
	}
	w := &fakeWorld{step: 1_000_000}
	if r := w.run(0, constant(1000)).result; r.Elapsed <= 0 || r.Iterations < 1000 {
		t.Errorf("with a coarse clock: %+v", r)
	}
}

// TestForStartsAtAStep wants the measured time to start where the clock moved.
func TestForStartsAtAStep(t *testing.T) {
	w := &fakeWorld{step: 1000, read: 30}
	first := int64(0) // when the first measured call began
	s := w.run(time.Millisecond, func(i int) int64 {
		if i == 1 {
			first = w.t
		}
		return 10
	})
	if first-s.start >= w.read {
		t.Errorf("started at %d by the clock when it was %d", s.start, first)
	}
	w = &fakeWorld{step: 1000, read: 30, t: 12_345}
	if got := nextClockStep(w.now); w.t-got >= w.read {
		t.Errorf("the clock said %d when it was %d", got, w.t)
	}
	stands := 0
	if got := nextClockStep(func() int64 { stands++; return 7 }); got != 7 || stands > 2<<20 {
		t.Errorf("%d after %d readings of a clock that stands still", got, stands)
	}
}

// TestForCollects: an object without a reference is collected before the first
// measured iteration.
func TestForCollects(t *testing.T) {
	garbage := weak.Make(&[1 << 16]byte{1})
	calls := 0
	r := For(0, func() {
		if calls++; calls == 2 && garbage.Value() != nil {
			t.Error("garbage is still there")
		}
	})
	if !r.Collected {
		t.Error("the collection is not confirmed")
	}
	if r := For(0, runtime.GC); r.Collections != 1 {
		t.Errorf("%d collections counted where f made 1", r.Collections)
	}
}

func TestConfirmed(t *testing.T) {
	for _, tt := range []struct {
		name    string
		happens int // at which attempt the cycle is counted
		want    bool
	}{{"at once", 1, true}, {"late", 7, true}, {"never", 1000, false}} {
		t.Run(tt.name, func(t *testing.T) {
			attempts, pauses := 0, 0
			got := collectUntilCounted(func() uint64 {
				if attempts >= tt.happens {
					return 4
				}
				return 3
			}, func() { attempts++ }, func() { pauses++ })
			if want := min(tt.happens, 100); got != tt.want || attempts != want || pauses != min(want, 100)-btoi(tt.want) {
				t.Errorf("%v after %d attempts and %d pauses", got, attempts, pauses)
			}
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestForPassesPanics(t *testing.T) {
	for _, at := range []int{1, 2, 5} { // in the warm-up, in the first and a later batch
		func() {
			defer func() {
				if got := recover(); got != fmt.Sprint("call ", at) {
					t.Errorf("recovered %v", got)
				}
			}()
			calls := 0
			For(time.Second, func() {
				if calls++; calls == at {
					panic(fmt.Sprint("call ", at))
				}
			})
			t.Error("went on after a panic")
		}()
		ended := make(chan bool)
		go func() {
			defer close(ended)
			calls := 0
			For(time.Second, func() {
				if calls++; calls == at {
					runtime.Goexit()
				}
			})
			t.Error("went on after Goexit")
		}()
		<-ended
	}
}

// TestForNests measures inside of what is measured.
func TestForNests(t *testing.T) {
	r := For(0, func() { For(time.Millisecond, func() { Work(10) }) })
	if r.Iterations != 1 || r.Elapsed < time.Millisecond {
		t.Errorf("%+v", r)
	}
}

// TestForKeepsBatchesInAnInt: even where an int has 32 bits.
func TestForKeepsBatchesInAnInt(t *testing.T) {
	s := &forState{least: 2, most: 8, n: 1}
	for range 100 {
		if s.n = s.resize(0); s.n < 1 || s.n > forBatchLimit {
			t.Fatalf("a batch of %d", s.n)
		}
	}
	for range 100 {
		if s.n = s.resize(9); s.n < 1 {
			t.Fatalf("a batch of %d", s.n)
		}
	}
	if s.n != 1 {
		t.Errorf("slow batches have %d iterations", s.n)
	}
}

func TestForAllocatesNothingWhileMeasuring(t *testing.T) {
	w := &fakeWorld{step: 1, read: 20, at: make([]int, 0, 1<<20)}
	s := newForState(time.Hour, forWorld{
		now:          w.now,
		measureFloor: func() (Overhead, int64) { return Overhead{}, 1 },
		collect:      func() bool { return true },
		cycles:       func() uint64 { return 0 },
	})
	s.next()
	s.next()
	if n := testing.AllocsPerRun(1000, func() {
		w.t += int64(s.n) * 1000
		if s.next() == 0 {
			t.Error("ended")
		}
	}); n != 0 {
		t.Errorf("%v allocations per batch", n)
	}
}

func TestForReal(t *testing.T) {
	calls := int64(0)
	r := For(5*time.Millisecond, func() { calls++ })
	if calls != r.Iterations+1 || r.Elapsed < 5*time.Millisecond || r.Reads < 1 || r.Reads > r.Iterations {
		t.Errorf("%d calls, %+v", calls, r)
	}
	if !(r.Overhead.Read > 0 && r.Overhead.Loop > 0 && r.Overhead.Call > 0) {
		t.Errorf("no tare: %+v", r.Overhead)
	}
	t.Log("\n" + r.String())
}
