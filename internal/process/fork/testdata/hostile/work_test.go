package hostile

import (
	"fmt"
	"os"
	"testing"
	"time"
)

func BenchmarkWork(b *testing.B) {
	for range b.N {
		work(100_000)
	}
}

func BenchmarkLoop(b *testing.B) {
	for b.Loop() {
		work(100_000)
	}
}

var kept []byte

func BenchmarkMemory(b *testing.B) {
	kept = make([]byte, 32<<20)
	for i := range kept {
		kept[i] = 1
	}
	leaf(b)
}

// Environ fails unless it finds the environment and the directory that a test
// gives it.
func BenchmarkEnviron(b *testing.B) {
	dir, _ := os.Getwd()
	if got := fmt.Sprintf("%s %s %s", os.Getenv("GIVEN"), os.Getenv("TARE_FD"), dir); got != os.Getenv("EXPECTED") {
		b.Fatalf("found %q", got)
	}
	leaf(b)
}

// Stopped measures next to nothing of what it does.
func BenchmarkStopped(b *testing.B) {
	for range b.N {
		b.StopTimer()
		time.Sleep(30 * time.Millisecond)
		b.StartTimer()
	}
}

func BenchmarkSleep(b *testing.B) { time.Sleep(time.Hour) }

// Partly passes its first run.
func BenchmarkPartly(b *testing.B) {
	leaf(b)
	if b.N > 1 {
		partly++
	}
	if partly == 2 {
		time.Sleep(time.Hour)
	}
}

var partly int
