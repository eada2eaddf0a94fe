package bench_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/tarebench/tare/bench"
)

func ExampleFor() {
	words := strings.Fields("the quick brown fox jumps over the lazy dog")
	r := bench.For(10*time.Millisecond, func() { bench.Sink(strings.Join(words, " ")) })

	// fmt.Println(r) says all of it.
	fmt.Println(r.Elapsed >= 10*time.Millisecond, r.Iterations > 0, r.NsPerOp > r.Overhead.Loop)
	// Output: true true true
}

// The compiler computes expressions of constants, so the exponent is made opaque.
// It removes the computation of an unused value, so the power is passed to a sink.
func ExampleOpaque() {
	power := func(x float64, n int) (p float64) {
		for p = 1; n > 0; n-- {
			p *= x
		}
		return p
	}
	x, n := bench.Opaque(1.5), bench.Opaque(8)
	bench.For(time.Millisecond, func() { bench.Sink(power(x, n)) })
	fmt.Println(power(x, n))
	// Output: 25.62890625
}

func ExampleWork() {
	jobs := make(chan int, 8)
	go func() {
		for i := range 100 {
			bench.Work(20) // making a job takes a while
			jobs <- i
		}
		close(jobs)
	}()
	done := 0
	for range jobs {
		done++
	}
	fmt.Println(done)
	// Output: 100
}
