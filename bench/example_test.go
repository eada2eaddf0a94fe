package bench_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tarebench/tare/bench"
)

// The functions of these examples are named Benchmark… and stand in a _test.go
// file when they are run by go test -bench; testing.Benchmark runs them anywhere.

func ExampleGroup() {
	queue := func(b *testing.B) {
		q := make(chan int, 64)
		bench.Group(b,
			bench.Role{Name: "producer", Workers: 3, Body: func(w *bench.Worker) {
				for w.Next() {
					select {
					case q <- w.Index():
					case <-w.Done():
						return
					}
				}
			}},
			bench.Role{Name: "consumer", Workers: 1, Body: func(w *bench.Worker) {
				for w.Next() {
					select {
					case <-q:
					case <-w.Done():
						return
					}
				}
			}})
	}
	r := testing.Benchmark(queue)
	fmt.Println("producers:", r.Extra["producer-op/s"] > 0)
	fmt.Println("consumer: ", r.Extra["consumer-op/s"] > 0)
	// Output:
	// producers: true
	// consumer:  true
}

func ExampleRun() {
	r := testing.Benchmark(func(b *testing.B) {
		bench.Run(b, func(w *bench.Worker) {
			for w.Next() {
				bench.Work(1000)
			}
		})
	})
	fmt.Println("time per operation:", r.Extra["ns/op"] > 0)
	fmt.Println("allocations:", r.AllocsPerOp())
	// Output:
	// time per operation: true
	// allocations: 0
}

func ExampleSample() {
	r := testing.Benchmark(func(b *testing.B) {
		bench.Sample(b, func(w *bench.Worker) {
			for i := 0; w.Next(); i++ {
				if i%10 == 0 {
					time.Sleep(time.Millisecond) // one of ten is slow
				}
			}
		})
	})
	fmt.Println("most operations take less than 0.1 ms:", r.Extra["p50-ns"] < 100e3)
	fmt.Println("the 99th percentile is above 1 ms:    ", r.Extra["p99-ns"] > 0.99e6)
	// Output:
	// most operations take less than 0.1 ms: true
	// the 99th percentile is above 1 ms:     true
}

// A single worker that needs 5 ms for an operation cannot keep up with 1000 of
// them per second: each waits longer than the one before.
func ExampleRate() {
	r := testing.Benchmark(func(b *testing.B) {
		bench.Rate(b, 1000, func(w *bench.Worker) {
			for w.Next() {
				time.Sleep(5 * time.Millisecond)
			}
		})
	})
	fmt.Println("the operation itself: ", time.Duration(r.Extra["service-ns/op"]).Round(5*time.Millisecond) < 50*time.Millisecond)
	fmt.Println("with the waiting:     ", r.Extra["ns/op"] > 2*r.Extra["service-ns/op"])
	fmt.Println("fewer than asked for: ", r.Extra["op/s"] < 500)
	// Output:
	// the operation itself:  true
	// with the waiting:      true
	// fewer than asked for:  true
}

func ExampleSingleShot() {
	cold := func(b *testing.B) {
		bench.SingleShot(b, func() { fmt.Println("the only operation of this process") })
	}
	fmt.Println(testing.Benchmark(cold).N)
	// Output:
	// the only operation of this process
	// 1
}

func ExampleParams() {
	type params struct {
		Size int    `bench:"10,1000"`
		Kind string `bench:"spsc,mpmc"`
	}
	small := func(p params) bool { return p.Size < 100 && p.Kind == "mpmc" }
	testing.Benchmark(func(b *testing.B) {
		bench.Params(b, small, func(b *testing.B, p params) {
			if b.N == 1 { // testing calls a function more than once
				fmt.Printf("size=%d/kind=%s\n", p.Size, p.Kind)
			}
		}, bench.P("size", 10, 100))
	})
	// Output:
	// size=10/kind=spsc
	// size=100/kind=spsc
	// size=100/kind=mpmc
}

func ExampleTrial() {
	testing.Benchmark(func(b *testing.B) {
		table := bench.Trial(b,
			func() ([]int, error) { fmt.Println("made"); return make([]int, 1000), nil },
			func([]int) { fmt.Println("dropped") })
		bench.Run(b, func(w *bench.Worker) {
			for i := 0; w.Next(); i++ {
				table[i%len(table)]++
			}
		})
	})
	// Output:
	// made
	// dropped
}

func ExampleRoleOf() {
	r := testing.Benchmark(func(b *testing.B) {
		bench.Group(b, bench.RoleOf[[]byte]{
			Name: "writer", Workers: 2,
			Setup: func(w *bench.Worker) ([]byte, error) { return make([]byte, 4096), nil },
			Body: func(w *bench.Worker, page []byte) {
				for w.Next() {
					clear(page)
				}
			},
		}, bench.Bytes(4096))
	})
	fmt.Println("MB/s of both:", r.Extra["writer-MB/s"] > 0)
	// Output:
	// MB/s of both: true
}
