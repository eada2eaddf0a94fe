package sched

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"golang.org/x/exp/trace"

	"github.com/tarebench/tare/record"
)

// move is a change of state with a reason, and the stacks of the goroutine and of the one that caused it.
func (s *script) move(at, g int, from, to trace.GoState, reason string, stack, by []string) {
	s.t.Helper()
	st := trace.MakeGoStateTransition(trace.GoID(g), from, to)
	st.Reason, st.Stack = reason, stackOf(stack...)
	s.tally.change(&st, trace.Time(at), stackOf(by...))
	s.end = trace.Time(at)
}

// place is a place as stackOf makes it.
func place(fn, op string) record.WaitPlace {
	return record.WaitPlace{Func: fn, File: "f.go", Line: 1, Op: op}
}

// TestWaits: each wait counts for its cause, its line and the line that ended it, cut to the window. What the
// benchmark's own goroutine spent adds up to the window.
func TestWaits(t *testing.T) {
	const none, new, runnable, running, waiting, syscall = trace.GoUndetermined, trace.GoNotExist, trace.GoRunnable, trace.GoRunning, trace.GoWaiting, trace.GoSyscall
	s := newScript(t)
	s.move(10, 1, none, running, "", nil, nil)
	s.move(20, 2, new, runnable, "", []string{"m.work"}, nil)
	s.move(21, 2, runnable, running, "", nil, nil)
	s.move(30, 3, none, waiting, "", nil, nil) // the runtime's, as will be known when it ran
	s.move(31, 4, none, waiting, "", []string{"runtime.chanrecv1", "m.idle"}, nil)
	s.move(90, 2, running, waiting, "sync", []string{"sync.(*Mutex).Lock", "m.get", "m.work"}, nil)
	s.mark(100, "begin 0")
	s.move(140, 2, waiting, runnable, "", nil, []string{"sync.(*Mutex).Unlock", "m.put", "m.BenchmarkX"})
	s.move(145, 2, runnable, running, "", nil, nil)
	s.move(150, 1, running, waiting, "sync", []string{"sync.(*WaitGroup).Wait", "m.BenchmarkX", "testing.(*B).launch"}, nil)
	s.move(160, 2, running, syscall, "", []string{"syscall.Syscall", "syscall.fsync", "m.save", "m.work"}, nil)
	s.move(167, 2, syscall, running, "", nil, nil)
	s.move(170, 3, waiting, runnable, "", nil, nil)
	s.move(171, 3, runnable, running, "", nil, nil)
	s.move(175, 3, running, waiting, "system goroutine wait", []string{"runtime.gopark", "runtime.bgscavenge"}, nil)
	s.move(180, 1, waiting, runnable, "", nil, []string{"sync.(*WaitGroup).Done", "m.work"})
	s.move(182, 1, runnable, running, "", nil, nil)
	s.move(190, 2, running, waiting, "sync", []string{"sync.(*WaitGroup).Wait", "m.work"}, nil) // until after the end
	s.mark(200, "end 0")
	s.settleAll()

	unlock, done := place("m.put", "sync.(*Mutex).Unlock"), place("m.work", "sync.(*WaitGroup).Done")
	want := map[waitKey]waitSum{
		{record.WaitLock, place("m.get", "sync.(*Mutex).Lock"), unlock}:                       {count: 1, ns: 40, longest: 40, path: []string{"m.work"}},
		{record.WaitWorkers, place("m.BenchmarkX", "sync.(*WaitGroup).Wait"), done}:           {count: 1, ns: 30, own: 30, longest: 30, path: []string{"testing.(*B).launch"}},
		{record.WaitWaitGroup, place("m.work", "sync.(*WaitGroup).Wait"), record.WaitPlace{}}: {count: 1, ns: 10, longest: 10},
		{record.WaitSyscall, place("m.save", "syscall.fsync"), record.WaitPlace{}}:            {count: 1, ns: 7, longest: 7, path: []string{"m.work"}},
		{record.WaitRunnable, record.WaitPlace{}, record.WaitPlace{}}:                         {count: 2, ns: 7, own: 2, longest: 5},
	}
	got := map[waitKey]waitSum{}
	for k, x := range s.waits {
		got[k] = *x
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v,\nwant %+v", got, want)
	}
	var all total
	all.add(s.tally, window(1, 103)) // 3 ns longer by the clock of the window
	w := all.waitTable()
	if w.OwnRunning != 68 || w.Rest != 3 || len(w.Sites) != 4 || w.Sites[0].Cause != record.WaitLock || *w.Sites[0].By != unlock || w.Sites[2].By != nil {
		t.Errorf("%+v", w)
	}
	if err := w.Validate(); err != nil {
		t.Error(err)
	}
}

// randomTrace adds n random changes of state of goroutines, of which number 1 is the benchmark's own.
func randomTrace(s *script, rnd *rand.Rand, n int) {
	const goroutines = 8
	stacks := [][]string{
		{"sync.(*Mutex).Lock", "m.a"}, {"sync.(*WaitGroup).Wait", "m.b"}, {"time.Sleep", "m.c"}, {"runtime.gopark", "runtime.bgsweep"},
		{"runtime.chanrecv1", "m.d", "m.e"}, nil,
	}
	words := []string{"sync", "sleep", "chan send", "select", ""}
	next := map[trace.GoState][]trace.GoState{
		trace.GoNotExist: {trace.GoRunnable}, trace.GoRunnable: {trace.GoRunning}, trace.GoWaiting: {trace.GoRunnable},
		trace.GoRunning: {trace.GoWaiting, trace.GoWaiting, trace.GoRunnable, trace.GoSyscall}, trace.GoSyscall: {trace.GoRunning, trace.GoRunnable},
	}
	state := map[int]trace.GoState{}
	at := 1
	for g := 1; g <= goroutines; g++ {
		state[g] = []trace.GoState{trace.GoRunning, trace.GoWaiting, trace.GoRunnable}[rnd.IntN(3)]
		s.move(at, g, trace.GoUndetermined, state[g], "", stacks[rnd.IntN(len(stacks))], nil)
	}
	begin, end := rnd.IntN(n), 0
	for i := range n {
		at += rnd.IntN(3)
		if i == begin {
			s.mark(at, "begin 0")
			end = begin + rnd.IntN(n-begin)
		}
		if i == end && s.begun && at > int(s.begin) {
			break
		}
		g := 1 + rnd.IntN(goroutines)
		to := next[state[g]][rnd.IntN(len(next[state[g]]))]
		s.move(at, g, state[g], to, words[rnd.IntN(len(words))], stacks[rnd.IntN(len(stacks))], stacks[rnd.IntN(len(stacks))])
		state[g] = to
	}
	s.mark(at+1, "end 0")
}

// TestWaitsAddUp: in random traces the causes add up to the blocked time of all goroutines that are no others' than
// the program's, and what the benchmark's own goroutine spent adds up to the window, to the nanosecond.
func TestWaitsAddUp(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	for i := range 500 {
		s := newScript(t)
		randomTrace(s, rnd, 10+rnd.IntN(200))
		if !s.whole {
			t.Fatal("no window")
		}
		s.settleAll()
		ops := 1 + rnd.Int64N(9)
		w := window(ops, max(1, s.traced()+rnd.Int64N(20)-5))
		v := s.values(w)
		get := func(unit string) float64 {
			x, ok := v.Get("sched-" + unit + "-ns/op")
			if !ok {
				t.Fatalf("no %s", unit)
			}
			return x * float64(ops)
		}
		blocked, wall := 0.0, 0.0
		for _, cause := range record.WaitCauses() {
			if isBlocked(cause) {
				blocked += get("blocked-" + cause)
			}
		}
		for _, part := range []string{"running", "runnable", "blocked", "syscall"} {
			wall += get("wall-" + part)
		}
		own := s.goroutines[1] // as no other trace has it, it may also wait all the time, or be one of the runtime's
		if all := own.tookPart() && !own.ofRuntime(); math.Abs(blocked-get("blocked")) > 1e-6 || all && math.Abs(wall-float64(s.traced())) > 1e-6 {
			t.Fatalf("trace %d: causes %v of %v ns; wall %v of %d ns", i, blocked, get("blocked"), wall, s.traced())
		}
		var all total
		all.add(s.tally, w)
		x := all.waitTable()
		sum := x.OwnRunning + x.Rest
		for _, c := range x.Causes {
			sum += c.Own
		}
		if err := x.Validate(); err != nil || sum != x.Wall {
			t.Fatalf("trace %d: %v, %d of %d ns", i, err, sum, x.Wall)
		}
	}
}
