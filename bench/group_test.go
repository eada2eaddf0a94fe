package bench

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// TestHidden makes sure that testing still has the fields that are read.
func TestHidden(t *testing.T) {
	benchtime(t, "3x")
	var before, in, after, inRun bool
	testing.Benchmark(func(b *testing.B) {
		before = usedLoop(b)
		for b.Loop() {
			in = usedLoop(b)
		}
		after = usedLoop(b)
	})
	if before || !in || !after {
		t.Errorf("b.Loop was seen as %v, %v, %v", before, in, after)
	}
	testing.Benchmark(func(b *testing.B) {
		before = usedRun(b)
		b.Run("", func(b *testing.B) { inRun = usedRun(b) })
		after = usedRun(b)
	})
	if before || inRun || !after {
		t.Errorf("b.Run was seen as %v, %v, %v", before, inRun, after)
	}
	b := new(testing.B)
	if hiddenField(b, "nothing") != 0 || hiddenField(b, "loop") != 0 || hiddenField(b, "loop", "n", "m") != 0 {
		t.Error("a field that is not there has a value")
	}
}

func TestReadFlags(t *testing.T) {
	old := map[string]string{}
	for _, name := range []string{"test.benchtime", "test.count", "test.cpu"} {
		old[name] = flag.Lookup(name).Value.String()
	}
	defer func() {
		for name, text := range old {
			flag.Set(name, text)
		}
	}()
	for _, tt := range []struct {
		benchtime, count, cpu string
		want                  testFlags
	}{
		{"1s", "1", "", testFlags{length: time.Second, rounds: 1}},
		{"50ms", "4", "", testFlags{length: 50 * time.Millisecond, rounds: 4}},
		{"100x", "2", "1,2,4", testFlags{length: time.Second, count: 100, rounds: 6}},
	} {
		flag.Set("test.benchtime", tt.benchtime)
		flag.Set("test.count", tt.count)
		flag.Set("test.cpu", tt.cpu)
		if got := readFlags(); got != tt.want {
			t.Errorf("%+v, want %+v", got, tt.want)
		}
	}
}

// TestNoAllocations has bodies that allocate nothing, and hardly any operations
// to spread over what the harness might.
func TestNoAllocations(t *testing.T) {
	for _, text := range []string{"1x", "10x", "5ms"} {
		benchtime(t, text)
		for name, f := range map[string]func(b *testing.B){
			"run":    func(b *testing.B) { Run(b, func(w *Worker) { work(w, 20_000) }) },
			"group":  func(b *testing.B) { Group(b, Role{Workers: 3, Body: func(w *Worker) { work(w, 20_000) }}) },
			"sample": func(b *testing.B) { Sample(b, func(w *Worker) { work(w, 20_000) }) },
			"rate":   func(b *testing.B) { Rate(b, 2000, func(w *Worker) { work(w, 100) }) },
			"batch": func(b *testing.B) {
				Run(b, func(w *Worker) { work(w, 20_000) }, Batch{Every: 2, Setup: func(*Worker) error { return nil }})
			},
		} {
			// The runtime allocates, too, now and then: the best of a few.
			least := math.Inf(1)
			for try := 0; try < 5 && least > 0.02; try++ {
				least = min(least, testing.Benchmark(f).Extra["allocs/op"])
			}
			if least > 0.02 {
				t.Errorf("%s of %s: %v allocations per operation", name, text, least)
			}
		}
	}
}

func work(w *Worker, tokens int) {
	for w.Next() {
		Work(tokens)
	}
}

// TestAllocations has bodies that allocate: every operation is in the division,
// also those outside of the window.
func TestAllocations(t *testing.T) {
	for _, text := range []string{"10x", "1000x", "10ms"} {
		benchtime(t, text)
		sinks := make([][]byte, 4)
		testutil.Retry(t, func(int) error { // the runtime allocates, too, now and then: a thread is half an operation
			r := testing.Benchmark(func(b *testing.B) {
				Group(b, Role{Workers: 4, Body: func(w *Worker) {
					for w.Next() {
						sinks[w.Index()] = make([]byte, 4096)
						Work(5000)
					}
				}})
			})
			n, bytes := r.Extra["allocs/op"], r.Extra["B/op"]
			if n < 1 || bytes < 4096 {
				t.Errorf("%s: %v allocations of %v bytes per operation, want 1 of 4096", text, n, bytes)
			}
			if n > 1.3 || bytes > 4300 {
				return fmt.Errorf("%s: %v allocations of %v bytes per operation, want 1 of 4096", text, n, bytes)
			}
			return nil
		})
	}
}

// TestNoLeaks counts goroutines after windows of all kinds, failed ones too.
func TestNoLeaks(t *testing.T) {
	benchtime(t, "2ms")
	before := runtime.NumGoroutine()
	for range 2 {
		testing.Benchmark(func(b *testing.B) { Run(b, loop, Workers(4), LockThread()) })
		testing.Benchmark(func(b *testing.B) { Sample(b, loop, Workers(4)) })
		testing.Benchmark(func(b *testing.B) { Rate(b, 1000, loop, Workers(4)) })
		testing.Benchmark(func(b *testing.B) {
			Group(b, Role{Workers: 4, Body: loop, Setup: func(w *Worker) error {
				if w.Index() == 2 {
					return errors.New("no disk")
				}
				return nil
			}})
		})
		testing.Benchmark(func(b *testing.B) { Group(b, Role{Workers: 4, Body: func(w *Worker) { panic("ouch") }}) })
		testing.Benchmark(func(b *testing.B) { Rate(b, 1000, func(w *Worker) { panic("ouch") }, Workers(4)) })
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestFixtures looks at the order of what runs around a body, and that workers
// have their own.
func TestFixtures(t *testing.T) {
	benchtime(t, "6x")
	var mu sync.Mutex
	logs := map[int][]string{}
	log := func(w *Worker, what string) {
		mu.Lock()
		defer mu.Unlock()
		logs[w.Index()] = append(logs[w.Index()], what)
	}
	testing.Benchmark(func(b *testing.B) {
		mu.Lock()
		logs = map[int][]string{}
		mu.Unlock()
		Group(b, RoleOf[string]{
			Name: "a", Workers: 2, LockThread: true,
			Setup: func(w *Worker) (string, error) {
				log(w, "setup")
				return string(rune('x' + w.Index())), nil
			},
			Body: func(w *Worker, s string) {
				log(w, "body "+s)
				for w.Next() {
					log(w, "op")
				}
				log(w, "after")
			},
			Teardown: func(w *Worker, s string) error { log(w, "teardown "+s); return nil },
			Batch: Batch{
				Every:    2,
				Setup:    func(w *Worker) error { log(w, "batch"); return nil },
				Teardown: func(w *Worker) error { log(w, "end"); return nil },
			},
		})
	})
	for i := range 2 {
		s := string(rune('x' + i))
		got := strings.Join(logs[i], " ")
		short := strings.ReplaceAll(got, " batch op op end", "")
		want := []string{"setup body " + s + " after teardown " + s, "setup body " + s + " batch op end after teardown " + s, "setup body " + s + " batch end after teardown " + s}
		if !slices.Contains(want, short) {
			t.Errorf("worker %d: %s", i, got)
		}
	}
}

// TestBatchTime has batches whose fixtures take far longer than the operations:
// the time of the score is that of the operations.
func TestBatchTime(t *testing.T) {
	benchtime(t, "40x")
	const fixture, op = 2 * time.Millisecond, 50 * time.Microsecond
	testutil.Retry(t, func(int) error { // what is stolen from an operation is its time, too
		r := testing.Benchmark(func(b *testing.B) {
			pause := func(*Worker) error { time.Sleep(fixture / 2); return nil }
			Run(b, func(w *Worker) {
				for w.Next() {
					spin(op)
				}
			}, Batch{Every: 2, Setup: pause, Teardown: pause})
		})
		if ns := r.Extra["ns/op"]; ns < float64(op)*0.99 || ns > float64(fixture)/2 {
			return fmt.Errorf("%v ns/op, want 50000", ns)
		}
		return nil
	})
}

// TestSetupFailsAlone makes sure that teardowns run where setups did.
func TestSetupFailsAlone(t *testing.T) {
	var torn atomic.Int64
	win := testWindow(Role{
		Workers: 3, Body: func(w *Worker) { t.Error("the body ran"); loop(w) },
		Setup: func(w *Worker) error {
			if w.Index() == 1 {
				return errors.New("no disk")
			}
			return nil
		},
		Teardown: func(w *Worker) error { torn.Add(1); return nil },
	})
	win.addWorkers()
	if o := win.run(doNothing, doNothing); o.err == nil || !strings.Contains(o.err.Error(), "worker 1: setup: no disk") || torn.Load() != 2 {
		t.Errorf("%v, %d teardowns", o.err, torn.Load())
	}
}

// TestTimerReset has a benchmark that resets its timer after the window, so that
// testing calls it again: it is not measured again.
func TestTimerReset(t *testing.T) {
	benchtime(t, "5ms")
	calls, bodies := 0, 0
	r := testing.Benchmark(func(b *testing.B) {
		calls++
		Run(b, func(w *Worker) {
			bodies++
			work(w, 10)
		})
		b.ResetTimer()
	})
	if calls < 2 || calls > 10 || bodies != 1 {
		t.Errorf("%d calls, %d windows", calls, bodies)
	}
	if r.N < 10 {
		t.Errorf("N = %d", r.N)
	}
}

// TestOneCall makes sure that testing calls the function once for a window.
func TestOneCall(t *testing.T) {
	for text, want := range map[string]int{"5ms": 1, "1x": 1, "7x": 2} {
		benchtime(t, text)
		calls := 0
		r := testing.Benchmark(func(b *testing.B) {
			calls++
			b.StopTimer()
			Run(b, loop)
		})
		if calls != want {
			t.Errorf("%s: %d calls", text, calls)
		}
		if text == "7x" && r.N != 7 || text == "1x" && r.N != 1 {
			t.Errorf("%s: N = %d", text, r.N)
		}
	}
}

// TestFigures compares the figures of a result with each other.
func TestFigures(t *testing.T) {
	benchtime(t, "20ms")
	r := testing.Benchmark(func(b *testing.B) {
		Group(b,
			Role{Name: "a", Workers: 2, Body: func(w *Worker) { work(w, 100) }},
			Role{Name: "b", Workers: 1, Body: func(w *Worker) { work(w, 1000) }},
			Ops(10), Bytes(100))
	})
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	x := r.Extra
	near("op/s", x["op/s"], x["a-op/s"]+x["b-op/s"])
	near("MB/s", x["a-MB/s"], x["a-op/s"]*100/1e6)
	near("MB/s", x["MB/s"], x["op/s"]*100/1e6)
	if x["ns/op"] != 0 || x["floor-ns/op"] <= 0 || r.N%10 != 0 {
		t.Errorf("N %d, %v", r.N, x)
	}
	r = testing.Benchmark(func(b *testing.B) {
		Group(b, Role{Name: "a", Workers: 2, Body: func(w *Worker) { work(w, 100) }}, Average(), Sampled())
	})
	x = r.Extra
	near("one role is all", x["ns/op"], x["a-ns/op"])
	if x["op/s"] != 0 || x["a-p50-ns"] <= 0 || x["p50-ns"] != 0 || x["clock-ns"] <= 0 {
		t.Errorf("%v", x)
	}
	r = testing.Benchmark(func(b *testing.B) { Run(b, func(w *Worker) { work(w, 100) }, Throughput()) })
	if x = r.Extra; x["op/s"] <= 0 || x["ns/op"] != 0 {
		t.Errorf("%v", x)
	}
}

func TestRand(t *testing.T) {
	numbers := func(seed string) []uint64 {
		t.Setenv("TARE_SEED", seed)
		s, err := readSeed()
		if err != nil {
			t.Fatal(err)
		}
		out := make([]uint64, 4)
		body := func(at int) func(w *Worker) {
			return func(w *Worker) {
				out[at+w.Index()] = w.Rand().Uint64()
				loop(w)
			}
		}
		win := testWindow(Role{Name: "a", Workers: 2, Body: body(0)}, Role{Name: "b", Workers: 2, Body: body(2)})
		win.seed, win.count = s, 1
		win.runTest(t)
		return out
	}
	first, same, other := numbers(""), numbers("1"), numbers("7f3a")
	if !slices.Equal(first, same) || slices.Equal(first, other) {
		t.Errorf("%x, %x, %x", first, same, other)
	}
	all := append(first, other...)
	if slices.Sort(all); len(slices.Compact(all)) != 8 {
		t.Error("two workers have the same numbers")
	}
	os.Setenv("TARE_SEED", "no seed")
	if _, err := readSeed(); err == nil || !strings.Contains(err.Error(), "TARE_SEED") {
		t.Errorf("a seed that is none: %v", err)
	}
}

// TestOneProcessor has more workers than processors, none of which gives way.
func TestOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	testutil.Retry(t, func(int) error { // eight turns of 10 ms each to come in, and to leave
		win := testWindow(Role{Name: "a", Workers: 4, Body: loop}, Role{Name: "b", Workers: 4, Body: loop})
		win.length = 50 * time.Millisecond
		start := time.Now()
		win.runTest(t)
		d := time.Since(start)
		for _, w := range win.workers {
			if w.own.ops() == 0 {
				t.Errorf("%s did nothing", w.name())
			}
		}
		if d > 3*time.Second {
			return fmt.Errorf("took %v", d)
		}
		return nil
	})
}
