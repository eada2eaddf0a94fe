// Package kinds has benchmarks of each kind that hooks have to serve.
package kinds

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if os.Getenv("KINDS_EXIT") != "" {
		os.Exit(0)
	}
	os.Exit(code)
}

var (
	sink  *[64]byte
	total int

	loop = (*testing.B).Loop // so that it is in the binary, not only where it is inlined
)

// third allocates 64 bytes in every third call.
func third(i int) {
	if i%3 == 0 {
		sink = new([64]byte)
	}
}

func BenchmarkN(b *testing.B) {
	for i := 0; i < b.N; i++ {
		third(i)
	}
}

func BenchmarkLoop(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		third(i)
	}
}

// BenchmarkEmpty has to be free of allocations to the last one.
func BenchmarkEmpty(b *testing.B) {
	for i := 0; i < b.N; i++ {
		total += i
	}
}

func BenchmarkEmptyLoop(b *testing.B) {
	for b.Loop() {
		total++
	}
}

// BenchmarkCalledLoop does not let the compiler see what it calls.
func BenchmarkCalledLoop(b *testing.B) {
	for loop(b) {
		total++
	}
}

func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
		}
	})
}

// BenchmarkGrain reports the portion that a goroutine takes at once.
func BenchmarkGrain(b *testing.B) {
	var grain atomic.Uint64
	b.RunParallel(func(pb *testing.PB) {
		grain.Store(reflect.ValueOf(pb).Elem().FieldByName("grain").Uint())
		for pb.Next() {
			grain.Load()
		}
	})
	b.ReportMetric(float64(grain.Load()), "grain")
}

// BenchmarkPauses stops its timer for what allocates more, and collects garbage
// twice per operation, once of them outside of the timed part.
func BenchmarkPauses(b *testing.B) {
	for i := 0; i < b.N; i++ {
		b.StopTimer()
		waste := make([][]byte, 100)
		for i := range waste {
			waste[i] = make([]byte, 1000)
		}
		runtime.GC()
		runtime.KeepAlive(waste)
		b.StartTimer()
		runtime.GC()
	}
}

// BenchmarkStopped stops its timer for each operation.
func BenchmarkStopped(b *testing.B) {
	for i := 0; i < b.N; i++ {
		b.StopTimer()
		b.StartTimer()
		total++
	}
}

// BenchmarkWindow sets up and cleans up for longer than it measures.
func BenchmarkWindow(b *testing.B) {
	time.Sleep(5 * time.Millisecond)
	b.StopTimer()
	b.StartTimer()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		time.Sleep(time.Microsecond)
	}
	b.StopTimer()
	time.Sleep(5 * time.Millisecond)
}

func BenchmarkReport(b *testing.B) {
	b.SetBytes(1000)
	for i := 0; i < b.N; i++ {
		third(i)
	}
	b.ReportMetric(1.5, "x/op")
	b.ReportMetric(1e-9, `"q\u`+"\x01ß\xff/op")
	b.ReportMetric(math.NaN(), "nan")
	b.ReportMetric(math.Inf(1), "inf")
}

// BenchmarkOverride reports what testing measures in a way of its own.
func BenchmarkOverride(b *testing.B) {
	for i := 0; i < b.N; i++ {
		third(i)
	}
	b.ReportMetric(7.25, "ns/op")
	b.ReportMetric(8.5, "B/op")
	b.ReportMetric(9.75, "allocs/op")
	b.ReportMetric(10.5, "MB/s")
	b.ReportMetric(11.25, "gc-cycles")
}

func BenchmarkSilent(b *testing.B) {
	for i := 0; i < b.N; i++ {
		third(i)
	}
	b.ReportMetric(0, "ns/op") // testing prints no time then
}

func BenchmarkSub(b *testing.B) {
	for _, name := range []string{"n=1", "n=1", "a b/c"} {
		b.Run(name, func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				third(i)
			}
		})
	}
	b.Run("deeper", func(b *testing.B) {
		b.Run("still", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				third(i)
			}
		})
	})
}

// BenchmarkBefore measures itself before it has sub-benchmarks.
func BenchmarkBefore(b *testing.B) {
	for b.Loop() {
		total++
	}
	b.Run("sub", BenchmarkEmpty)
}

// BenchmarkAfter measures itself after it had sub-benchmarks: package testing does not print that.
func BenchmarkAfter(b *testing.B) {
	b.Run("sub", BenchmarkEmpty)
	for b.Loop() {
		total++
	}
}

func BenchmarkSkip(b *testing.B) { b.Skip("always") }

func BenchmarkSkipLater(b *testing.B) {
	if b.N > 1 {
		b.Skip("not with N > 1")
	}
}

func BenchmarkFatal(b *testing.B) { b.Fatal("always") }

func BenchmarkFatalLater(b *testing.B) {
	if b.N > 1 {
		b.Fatal("not with N > 1")
	}
}

// BenchmarkError fails after it has been measured.
func BenchmarkError(b *testing.B) {
	for b.Loop() {
		total++
	}
	b.Error("always")
}

func BenchmarkErrorLater(b *testing.B) {
	if b.N > 1 {
		b.Error("not with N > 1")
	}
}

// BenchmarkPanic ends the process for sure: of a panic in its own goroutine the
// benchmarks that follow may be faster.
func BenchmarkPanic(b *testing.B) {
	if b.N > 1 {
		go panic("on purpose")
		select {}
	}
}

// BenchmarkStack tells who called it.
func BenchmarkStack(b *testing.B) {
	if b.N > 1 {
		os.Stdout.Write(debug.Stack())
	}
}

func BenchmarkExit(b *testing.B) {
	if b.N > 1 {
		os.Exit(7)
	}
}

var calls = map[string]int{}

// BenchmarkCalls reports how often its function was called so far, and how often
// of these with N = 1, as testing begins to guess.
func BenchmarkCalls(b *testing.B) {
	calls["N"]++
	if b.N == 1 {
		calls["1"]++
	}
	for i := 0; i < b.N; i++ {
		time.Sleep(10 * time.Microsecond)
	}
	b.ReportMetric(float64(calls["N"]), "calls")
	b.ReportMetric(float64(calls["1"]), "ones")
}

// BenchmarkTarget reports how often its function was called, and where b.Loop
// first meant to stop.
func BenchmarkTarget(b *testing.B) {
	calls["Loop"]++
	target := uint64(0)
	for b.Loop() {
		if target == 0 {
			target = reflect.ValueOf(b).Elem().FieldByName("loop").FieldByName("n").Uint()
		}
		time.Sleep(10 * time.Microsecond)
	}
	b.ReportMetric(float64(target), "target")
	b.ReportMetric(float64(calls["Loop"]), "calls")
}

// BenchmarkOwn finds its N itself, in the one call with b.N = 1.
func BenchmarkOwn(b *testing.B) {
	calls["Own"]++
	n := b.N
	time.Sleep(30 * time.Millisecond)
	b.N = 1000
	b.ReportMetric(float64(calls["Own"]), "calls")
	b.ReportMetric(float64(n), "asked")
}

// BenchmarkChild starts this binary's benchmarks again, with all that it has.
func BenchmarkChild(b *testing.B) {
	for i := 0; i < b.N; i++ {
		if out, err := exec.Command(os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkEmpty$", "-test.benchtime=1x").CombinedOutput(); err != nil {
			b.Fatal(err, string(out))
		}
	}
}

// TestBenchmark measures by testing.Benchmark, so that the benchmark has no name.
func TestBenchmark(t *testing.T) {
	r := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			total++
		}
	})
	fmt.Println("by hand:", r.N > 0)
}
