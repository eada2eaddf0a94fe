package bench

import "runtime"

// Sink makes the compiler compute v. Without it, a benchmark that does not use its result may measure an empty
// loop.
//
//	for b.Loop() {
//		for _, x := range xs {
//			bench.Sink(math.Sqrt(x))
//		}
//	}
//
// It costs a store of v into the caller's frame: no call, no allocation, no memory shared with other
// goroutines. In a loop of multiplications that is 0.08 ns (0.32 against 0.24 ns, where a call takes 1.17;
// BenchmarkSink), and nothing if the computation takes longer.
//
// It passes the address of v on the stack to [runtime.KeepAlive]. The compiler generates no code for that, but
// must treat it as a use of the memory behind the address. testing.B.Loop keeps results in the same way, but
// only those of statements in its own body. A store behind a branch that is never taken would not suffice: the
// compiler moves the computation behind the branch, too.
//
// What Sink does not do:
//   - It does not hide where v comes from. The compiler evaluates constant
//     expressions: Sink(math.Sqrt(2)) stores a number. See [Opaque].
//   - It does not make v escape. Sink(new(T)) needs no heap if nothing else needs
//     it. To measure an allocation, assign the pointer to a package variable.
//   - It keeps only v: Sink(len(s)) keeps the length, not the contents of s.
func Sink[T any](v T) {
	runtime.KeepAlive(&v)
}

// Opaque returns v and hides from the compiler what it knows of v: that it is a constant, its length, or which
// function it is.
//
//	n := bench.Opaque(1000)
//	for b.Loop() {
//		bench.Sink(isPrime(n))
//	}
//
// It costs a store and a load of v on the stack. A processor that renames memory hides both (0.47 ns for a
// step of a chain with and without, on a family 26 EPYC); on others the computation waits for about 5 cycles.
// So call it before the loop, unless the compiler could then move the computation out of the loop.
//
// Only v itself becomes opaque, not the memory that a pointer or a slice in it refers to. What the compiler
// knows about that memory, it still knows.
func Opaque[T any](v T) T {
	runtime.KeepAlive(&v)
	return v
}
