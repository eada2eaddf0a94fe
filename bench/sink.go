package bench

import "runtime"

// Sink keeps v: the compiler must compute it. Without, a benchmark whose result
// nobody uses measures an empty loop.
//
//	for b.Loop() {
//		for _, x := range xs {
//			bench.Sink(math.Sqrt(x))
//		}
//	}
//
// It costs a store of v into the frame of the function that calls it: no call, no
// allocation, nothing that is shared with other goroutines. In a loop of
// multiplications that is 0.08 ns (0.32 against 0.24 ns without, where a call
// takes 1.17; BenchmarkSink), and nothing if the computation takes longer.
//
// How: the address of v's place on the stack is given to [runtime.KeepAlive], for
// which the compiler generates no code, but which it must take for a use of the
// memory behind the address. The loop testing.B.Loop keeps results by the same
// means, but only those of statements that stand in its own body. A store behind
// a branch that is never taken does not do: the compiler moves the computation
// behind the branch as well.
//
// What Sink does not do:
//   - It does not hide where v comes from. What is computed from constants is
//     computed by the compiler: Sink(math.Sqrt(2)) stores a number. See [Opaque].
//   - It does not make v escape. Sink(new(T)) needs no heap if nothing else needs
//     it. To measure an allocation, assign the pointer to a package variable.
//   - It keeps v and nothing else: Sink(len(s)) keeps the length, not what is in s.
func Sink[T any](v T) {
	runtime.KeepAlive(&v)
}

// Opaque returns v, of which the compiler then no longer knows anything: not that
// it is a constant, nor how long it is, nor which function.
//
//	n := bench.Opaque(1000)
//	for b.Loop() {
//		bench.Sink(isPrime(n))
//	}
//
// It costs a store and a load of v, on the stack. A processor that renames memory
// hides both (0.47 ns for a step of a chain with and without, on a family 26
// EPYC); others make the computation wait for some 5 cycles. So call it before
// the loop, unless what is computed would then be the same each time, and the
// compiler might see it.
//
// Only v itself becomes opaque, not what a pointer or a slice in it refers to. If
// the compiler knows that nobody else refers to it, it knows that still.
func Opaque[T any](v T) T {
	runtime.KeepAlive(&v)
	return v
}
