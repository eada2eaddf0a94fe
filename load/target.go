package load

import "context"

// A Target receives operations.
type Target interface {
	// Kinds returns the names of the operations, such as READ or UPDATE. A Worker
	// refers to them by index. The engine calls it once.
	Kinds() []string

	// Worker returns the sender of worker n, from 0. When the context, which is that
	// of the run, is cancelled, operations should end.
	Worker(ctx context.Context, n int) (Worker, error)

	// Close releases the target after every worker was closed.
	Close() error
}

// A Worker sends the operations of one goroutine. For each operation the engine calls
// Prepare before it is due, Do when it is due, and Done after its time was taken. If
// the run ends in between, or the operation is dropped after it waited for others that pause (see
// [Timer.Pause]), the operation that was prepared is not sent. A panic in any of them ends the run.
type Worker interface {
	// Prepare chooses operation k, from 0, and fills its buffers. The choice must
	// depend on the seed and k alone, so that it is the same for any worker. It is
	// not timed.
	Prepare(k uint64) (kind int)

	// Do sends the operation. Only Do is timed. An error is counted by its class, see
	// [Class]; [ErrNotFound] has its own class and is no failure.
	Do(ctx context.Context, t *Timer) error

	// Done verifies the response and acknowledges inserts, given the error of Do. It
	// is not timed. A non-nil result replaces the error of Do: [ErrIntegrity] for a
	// value that is not what was written.
	Done(err error) error

	// Close releases the worker.
	Close() error
}
