package load

import "context"

// A Target is what operations are sent to. The engine knows nothing else of it.
type Target interface {
	// Kinds returns the names of the operations, as READ or UPDATE; a Worker
	// speaks of them by index. The engine calls it once.
	Kinds() []string

	// Worker returns what worker n, from 0, sends operations with. The context is
	// that of the run: when it is cancelled, operations should end.
	Worker(ctx context.Context, n int) (Worker, error)

	// Close releases the target after every worker was closed.
	Close() error
}

// A Worker sends the operations of one goroutine. For each, the engine calls
// Prepare before it is due, Do when it is due, and Done when its time was taken;
// unless the run ends in between: then the last operation prepared is not sent.
// A panic in any of them ends the run.
type Worker interface {
	// Prepare chooses operation k, from 0, and fills the buffers for it. What it
	// chooses follows from the seed and k alone, so that it is the same whichever
	// worker takes it. It is not timed.
	Prepare(k uint64) (kind int)

	// Do sends the operation. It is all that is timed. An error is counted by its
	// class, see [Class]; [ErrNotFound] has a class of its own and is no failure.
	Do(ctx context.Context, t *Timer) error

	// Done verifies what came, acknowledges an insert and the like, given the
	// error of Do. It is not timed. An error that it returns takes the place of
	// Do's: [ErrIntegrity] for a value that is not what was written. With nil that
	// of Do stands.
	Done(err error) error

	// Close releases the worker.
	Close() error
}
