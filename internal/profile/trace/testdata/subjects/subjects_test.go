package subjects

import (
	"os"
	"strconv"
	"testing"
)

func setUp() {
	for i := range 1000 {
		F(i)
	}
}

func op() {
	F(1)
	F(2)
	F(3)
	G(4)
}

func BenchmarkN(b *testing.B) {
	setUp()
	b.ResetTimer()
	for range b.N {
		op()
	}
	b.StopTimer()
	setUp()
}

func BenchmarkLoop(b *testing.B) {
	setUp()
	for b.Loop() {
		op()
	}
	setUp()
}

func BenchmarkStops(b *testing.B) {
	setUp()
	b.StopTimer()
	setUp()
	b.ResetTimer() // while it stands
	setUp()
	b.StartTimer()
	for range b.N {
		op()
		b.StopTimer()
		G(1)
		b.StartTimer()
	}
}

func BenchmarkParallel(b *testing.B) {
	setUp()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			op()
		}
	})
	b.StopTimer()
	setUp()
}

func BenchmarkSub(b *testing.B) {
	setUp()
	for _, name := range []string{"a", "b/c"} {
		b.Run(name, loop)
		setUp()
	}
	b.StopTimer()
	b.StartTimer()
	setUp()
}

// loop is in progress when the timer is set to zero.
func loop(b *testing.B) {
	setUp()
	b.ResetTimer()
	for range b.N {
		op()
	}
}

func BenchmarkRecursion(b *testing.B) {
	for b.Loop() {
		Fib(10)
	}
}

// BenchmarkWithin stops its timer in a call that counts.
func BenchmarkWithin(b *testing.B) {
	for range b.N {
		within(b)
	}
}

func within(b *testing.B) {
	F(1)
	b.StopTimer()
	F(2)
	b.StartTimer()
	F(3)
	F(4)
	G(5)
}

// BenchmarkGoroutine has one that never ends.
func BenchmarkGoroutine(b *testing.B) {
	ask, answer := make(chan int), make(chan int)
	go func() {
		setUp()
		for n := range ask {
			F(n)
			F(n)
			F(n)
			answer <- G(n)
		}
	}()
	ask <- 1
	<-answer
	b.ResetTimer()
	for range b.N {
		ask <- 1
		<-answer
	}
}

func BenchmarkUneven(b *testing.B) {
	n, _ := strconv.Atoi(os.Getenv("UNEVEN"))
	for b.Loop() {
		Uneven(n)
	}
}

func TestNothing(t *testing.T) { setUp() }

func ExampleF() { setUp() }

func TestMain(m *testing.M) {
	setUp()
	os.Exit(m.Run())
}
