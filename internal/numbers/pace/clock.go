package pace

// Clock tells a worker the time and makes it wait. A [Pacer] is the real one; with a
// [Fake], tests of schedules and policies run without real time.
type Clock interface {
	// Now returns the time in nanoseconds of the clock that Wait waits by.
	Now() int64

	// Wait blocks until due and returns the time then, which is never before
	// due unless there is an error. waited says whether the worker was there
	// before due: if so, now-due is the generator's own lateness, else it is
	// backlog, and the worker came late. The error is ErrStopped after an
	// interruption, even if due has passed.
	Wait(due int64) (now int64, waited bool, err error)
}

var (
	_ Clock = (*Pacer)(nil)
	_ Clock = (*Fake)(nil)
)
