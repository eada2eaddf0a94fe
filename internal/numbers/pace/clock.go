package pace

// Clock tells a worker the time and makes it wait. A [Pacer] is the real one; with a
// [Fake], tests of schedules and policies run without real time.
type Clock interface {
	// Now returns the time in nanoseconds of the clock that Wait waits by.
	Now() int64

	// Wait blocks until due and returns the time at its end, which is never
	// before due unless there is an error. waited reports whether Wait was
	// called before due. If so, now-due is the generator's own lateness.
	// Otherwise the worker came late, and now-due is backlog. The error is
	// ErrStopped after an interruption, even if due has passed.
	Wait(due int64) (now int64, waited bool, err error)
}

var (
	_ Clock = (*Pacer)(nil)
	_ Clock = (*Fake)(nil)
)
