package sched

import (
	"bytes"
	"context"
	"math/rand/v2"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/process/profiler"
)

// traced is the trace of a task, with marks around it.
func traced(t *testing.T, task func()) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skip(err) // go test -trace
	}
	trace.Log(context.Background(), logCategory, "begin 1000")
	task()
	trace.Log(context.Background(), logCategory, "end 3000")
	trace.Stop()
	return b.Bytes()
}

//go:noinline
func napper(d time.Duration) { time.Sleep(d) }

func napping(wg *sync.WaitGroup, d time.Duration) {
	defer wg.Done()
	napper(d)
}

func yielding(wg *sync.WaitGroup, n int) {
	defer wg.Done()
	for range n {
		runtime.Gosched()
	}
}

// TestRealTrace: what the tracer of this toolchain writes is understood. A goroutine
// that sleeps is there at least as long, and one that yields is put on a P at least
// as often. No goroutine has a time longer than the window.
func TestRealTrace(t *testing.T) {
	const nap, yields = 20 * time.Millisecond, 500
	text := traced(t, func() {
		var wg sync.WaitGroup
		wg.Add(4)
		go napping(&wg, nap)
		go napping(&wg, nap)
		go yielding(&wg, yields)
		go yielding(&wg, yields)
		wg.Wait()
	})
	x, err := readTrace(bytes.NewReader(text), profiler.Window{})
	if err != nil {
		t.Fatal(err)
	}
	if !x.whole || x.cpu != 2000 || x.traced() < int64(nap) {
		t.Errorf("whole %v, cpu %d, %d ns", x.whole, x.cpu, x.traced())
	}
	seen := map[string]int{}
	pkg := self()
	for id, g := range x.goroutines {
		sum := g.running + g.runnable + g.blocked + g.syscall
		switch g.began {
		case pkg + "napping":
			if g.blocked <= 0 || sum < int64(nap-time.Millisecond) || g.slices < 2 { // before it is blocked it may be held up
				t.Errorf("%+v naps for %s", g.spent, nap)
			}
		case pkg + "yielding":
			if g.slices < yields || g.running <= 0 {
				t.Errorf("%+v yields %d times", g.spent, yields)
			}
		case "testing.tRunner":
			if g.slices > 0 && sum != x.traced() {
				t.Errorf("%+v of a window of %d ns", g.spent, x.traced())
			}
		}
		if sum > x.traced() {
			t.Errorf("goroutine %d, %s: %+v in a window of %d ns", id, g.began, g.spent, x.traced())
		}
		seen[g.began]++
	}
	if seen[pkg+"napping"] != 2 || seen[pkg+"yielding"] != 2 {
		t.Errorf("goroutines by function: %v", seen)
	}
}

// self is the path of this package, with a point.
func self() string {
	pc, _, _, _ := runtime.Caller(0)
	return strings.TrimSuffix(runtime.FuncForPC(pc).Name(), "self")
}

// sums returns the waits, none if there is no tally.
func (t *tally) sums() waitSums {
	if t == nil {
		return nil
	}
	return t.waits
}

// TestCutTrace: a trace that was cut off or damaged anywhere is an error, or as much as
// is there; never a panic, and never a window that is longer than it was.
func TestCutTrace(t *testing.T) {
	text := traced(t, func() { napper(time.Millisecond) })
	whole, err := readTrace(bytes.NewReader(text), profiler.Window{})
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 0))
	try := func(what string, text []byte) {
		if x, err := readTrace(bytes.NewReader(text), profiler.Window{}); err == nil && x.whole && what == "cut" && x.traced() > whole.traced() {
			t.Errorf("%s: %d ns, the whole %d", what, x.traced(), whole.traced())
		}
		w := profiler.Window{Begin: rnd.Int64() >> rnd.IntN(63), End: rnd.Int64() >> rnd.IntN(63), Ops: 1}
		x, err := readTrace(bytes.NewReader(text), w)
		for k, s := range x.sums() {
			if s.ns < 0 || s.own > s.ns {
				t.Errorf("%s, %+v: %+v of %+v (%v)", what, w, s, k, err)
			}
		}
	}
	for range 200 {
		try("cut", text[:rnd.IntN(len(text))])
		bad := bytes.Clone(text)
		for range 1 + rnd.IntN(4) {
			bad[rnd.IntN(len(bad))] = byte(rnd.Uint32())
		}
		try("damaged", bad)
	}
	for _, text := range [][]byte{nil, []byte("go 1.99 trace\x00\x00\x00"), bytes.Repeat([]byte{0xff}, 100)} {
		if x, err := readTrace(bytes.NewReader(text), profiler.Window{}); err == nil {
			t.Errorf("%q: %+v", text, x)
		}
	}
}
