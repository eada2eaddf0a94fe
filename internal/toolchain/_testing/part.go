package testing

// tarePart is the half of a profiler that works in the measured process. What
// is nil is not called, and none is without a pipe to tare. All but process are
// called for one benchmark at a time, from its own goroutine or from the one
// that waits for it.
//
// Lines that a part has to say go to tareOut: l := tareOut.line(kind); l.int …;
// tareOut.end(), in after or told; they leave with the iteration's own. live
// may also tareOut.flush().
type tarePart struct {
	process func()                  // at the start of the process: flags are not parsed, few packages are initialised
	before  func(b *B)              // before a run; may leave garbage
	begin   func(b *B)              // before the timer starts from zero, maybe more than once in a run: the last time counts; must not allocate
	start   func(b *B)              // before the timer starts again after a stop, and goes on; must not allocate
	stop    func(b *B)              // the timer ran from b.tare.segment to b.tare.end and stands; must not allocate; a benchmark may stop it for each operation
	end     func(b *B)              // once in a run, the timer has stopped for good
	live    func(b *B)              // after end, only for b.Loop: what was measured is still alive
	after   func(b *B)              // the benchmark's function has returned
	values  func(b *B, v *tareLine) // the run was an iteration: adds to its values
	told    func(b *B)              // its sample is written: doubts about it may follow
}
