package bench

import "time"

// For runs f over and over for the duration d and says how long one run takes.
// It is for plain programs: no go test, no *testing.B.
//
//	r := bench.For(time.Second, func() { bench.Sink(sum(xs)) })
//	fmt.Println(r)
//
// It runs f once, so that it is warm; forces a full garbage collection and waits
// until the runtime has counted it; waits for the next step of the clock; then
// runs f for the duration. The clock is not read at each iteration but once per
// batch: batches grow until they last some 25 to 100 µs, and an f that takes
// longer by itself is a batch of its own. So a body of 1 ns is not measured as a
// clock reading of 25 ns, and the end is exact to one batch. f is called
// Iterations + 1 times in all. If d is zero or negative, it is measured once
// (and again while a coarse clock has not moved). A panic in f, or
// [runtime.Goexit], passes through.
//
// # What the loop weighs
//
// For is small enough to be inlined into its caller, and then so is a function
// literal or a named function that is given to it: nothing is called, and an
// empty body takes what an empty loop takes (0.23 ns both, BenchmarkFor). A
// function that the compiler cannot know, in a variable, is called, which takes
// longer than many a body: see [Tare]. Give a literal where you can. To measure
// a call on purpose, hide the function: bench.For(d, bench.Opaque(f)).
//
// The price of inlining is that the compiler sees the whole loop: what f
// computes and does not use is removed. Give it to [Sink], and constants that
// come in through [Opaque].
//
// For measures on the goroutine that calls it, and the method is that of a small
// program: one process, hence one draw of memory layout and hash seeds. To
// compare two things use many processes, as tare bench does.
func For(d time.Duration, f func()) Result {
	return forDrive(forRun{d: d}, f, forNext).result
}

// ForPrint does what [For] does and prints
//
//	prefix N iterations per millisecond
//
// to standard output, N to six significant figures.
func ForPrint(prefix string, d time.Duration, f func()) {
	forDrive(forRun{d: d, prefix: prefix}, f, forNextPrint)
}

// forDrive is the loop of For. It and its callers must stay within the inlining
// budget, so that f is inlined too; TestForInlined looks whether it is.
//
// Two things make it fit. The compiler charges 57 of a budget of 80 for a call of
// a function, but 17 for the call of a parameter, which is why next is one.
// And f is only called, never passed on: otherwise the closure must exist in
// memory, along with the variables it captures, and the loop measured is another.
func forDrive(r forRun, f func(), next func(*forRun) bool) *forState {
	for next(&r) {
		for range r.n {
			f()
		}
	}
	return r.state
}

// forRun is what the loop keeps in the frame of its caller.
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
