package bench

import "time"

// For runs f repeatedly for the duration d and returns how long one run takes. It is for programs without go
// test.
//
//	r := bench.For(time.Second, func() { bench.Sink(sum(xs)) })
//	fmt.Println(r)
//
// It runs f once as a warm-up, forces a full garbage collection and waits until the runtime has counted it,
// waits for the next step of the clock, and then runs f for the duration. The clock is read once per batch,
// not per iteration. Batches grow until they last 25 to 100 µs; an f that takes longer is a batch by itself.
// The end is exact to one batch. f is called Iterations + 1 times in all. If d is zero or negative, f is
// measured once (again while a coarse clock has not moved). A panic in f, or [runtime.Goexit], passes through.
//
// # Overhead of the loop
//
// For is small enough to be inlined into its caller together with a function literal or a named function as
// argument. Then nothing is called, and an empty body takes as long as an empty loop (0.23 ns both,
// BenchmarkFor). A function in a variable is called, which may take longer than the function itself: see
// [Overhead]. Pass a literal if you can. To measure a call on purpose, hide the function: bench.For(d,
// bench.Opaque(f)).
//
// Because of inlining the compiler sees the whole loop and removes what f computes but does not use. Pass
// results to [Sink], and constants through [Opaque].
//
// For measures on the calling goroutine in one process, which has one memory layout and one set of hash seeds.
// To compare two things use many processes, as tare bench does.
func For(d time.Duration, f func()) Result {
	return forDrive(forRun{d: d}, f, forNext).result
}

// ForPrint does the same as [For] and prints
//
//	prefix N iterations per millisecond
//
// to standard output, N to six significant figures.
func ForPrint(prefix string, d time.Duration, f func()) {
	forDrive(forRun{d: d, prefix: prefix}, f, forNextPrint)
}

// forDrive returns the loop of For. It and its callers must stay within the inlining budget, so that f is inlined
// too. TestForInlined checks that.
//
// Two things make it fit. The compiler charges 57 of a budget of 80 for a call of a function, but 17 for a
// call of a parameter; therefore next is a parameter. And f is only called, never passed on: otherwise the
// closure and its captured variables would have to exist in memory, which changes the measured loop.
func forDrive(r forRun, f func(), next func(*forRun) bool) *forState {
	for next(&r) {
		for range r.n {
			f()
		}
	}
	return r.state
}

// forRun is the state that the loop keeps in its caller's frame.
type forRun struct {
	n      int // length of the next batch
	d      time.Duration
	prefix string
	state  *forState // made by the first call of next
}

// forNext ends a batch and begins the next one, or returns false.
//
//go:noinline
func forNext(r *forRun) bool {
	if r.state == nil {
		r.state = newForState(r.d, forReal())
	}
	r.n = r.state.next()
	return r.n > 0
}

// forNextPrint is forNext for ForPrint.
//
//go:noinline
func forNextPrint(r *forRun) bool {
	more := forNext(r)
	if !more {
		printRate(r.prefix, r.state.result)
	}
	return more
}
