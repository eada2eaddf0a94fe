// Package testing gets this file and its neighbours for one build, by package toolchain:
// the hooks in the measured process. They send the edges of timed sections and what
// profilers read to tare, over a pipe.
package testing

// tarePart is the part of a profiler that runs in the measured process. Nil functions are
// not called; without a pipe to tare none is. All but process are called for one benchmark at a
// time, from its own goroutine or from the one that waits for it.
//
// A part writes lines to tareOut: l := tareOut.line(kind); l.int …; tareOut.end(), in after or
// written. They are sent with those of the iteration. live may also call tareOut.flush.
type tarePart struct {
	process func()                  // at the start of the process: flags are not parsed yet, and few packages are initialised
	before  func(b *B)              // before a run; may leave garbage
	begin   func(b *B)              // before the timer starts from zero; of several times in a run the last one counts; must not allocate
	start   func(b *B)              // before the timer goes on after a stop; must not allocate
	stop    func(b *B)              // the timer ran from b.tare.segment to b.tare.end and is stopped; must not allocate; may be called once per operation
	end     func(b *B)              // once in a run, when the timer has stopped for the last time
	live    func(b *B)              // after end, with b.Loop or where TareLoopEnd is called: the measured values are still alive
	after   func(b *B)              // the benchmark's function has returned
	values  func(b *B, v *tareLine) // the run was an iteration: adds values to its sample
	written func(b *B)              // the sample is written: warnings about it may follow
}
