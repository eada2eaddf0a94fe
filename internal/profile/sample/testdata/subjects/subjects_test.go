// Package subjects has benchmarks of which it is known where they are.
package subjects

import (
	"testing"
	"time"
)

//go:noinline
func setup() { time.Sleep(150 * time.Millisecond) }

//go:noinline
func operation() { time.Sleep(40 * time.Millisecond) }

func BenchmarkNap(b *testing.B) {
	setup()
	b.ResetTimer()
	for range b.N {
		operation()
	}
	b.StopTimer()
	setup()
}

//go:noinline
func between() { time.Sleep(40 * time.Millisecond) }

func BenchmarkStops(b *testing.B) {
	for range b.N {
		b.StopTimer()
		between()
		b.StartTimer()
		operation()
	}
}

func BenchmarkQuick(b *testing.B) {
	for range b.N {
	}
}
