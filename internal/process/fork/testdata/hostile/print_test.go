package hostile

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Dots prints without a newline, at every occasion.
func BenchmarkDots(b *testing.B) {
	for _, name := range []string{"1", "2", "Benchmark3"} {
		b.Run(name, func(b *testing.B) {
			fmt.Print("...")
			defer fmt.Print("42 done")
			leaf(b)
		})
	}
}

// Talk mentions benchmarks, figures and failures.
func BenchmarkTalk(b *testing.B) {
	fmt.Println("Benchmarking with 12 workers")
	fmt.Println("Benchmark 12: 100 ns/op")
	fmt.Fprintln(os.Stderr, "see BenchmarkOther for 7 ns/op")
	fmt.Println("recovered from panic: nothing")
	fmt.Println("--- FAIL: BenchmarkOther")
	fmt.Println("a\t1\tb 2")
	b.Log("BenchmarkLogged \t 100\t 5 ns/op")
	leaf(b)
	b.ReportMetric(1.5, "µ/x:y")
	b.SetBytes(1 << 10)
}

// Other prints the result of another benchmark.
func BenchmarkOther(b *testing.B) {
	leaf(b)
	fmt.Printf("\nBenchmarkElse-2 \t 100\t 5 ns/op\n")
}

// Own prints a second result under its own name.
func BenchmarkOwn(b *testing.B) {
	leaf(b)
	fmt.Println("    7\t 5 ns/op")
}

// Long prints a long line between its name and its figures.
func BenchmarkLong(b *testing.B) {
	fmt.Print(strings.Repeat("x", 200_000))
	leaf(b)
}

func BenchmarkSecret(b *testing.B) { b.Fatal("the password is hunter2") }
func BenchmarkInfinite(b *testing.B) {
	leaf(b)
	zero := float64(len(os.Getenv("NO_SUCH_VARIABLE")))
	b.ReportMetric(1/zero, "inf")
	b.ReportMetric(-1/zero, "neg")
	b.ReportMetric(zero/zero, "nan")
	b.ReportMetric(1e300, "big")
}
