package load

import "github.com/tarebench/tare/internal/clock"

// Timer tells the engine of operations inside an operation, as the READ inside a
// READ-MODIFY-WRITE. The zero value belongs to no run: it knows the time, and Sub
// does nothing. That is for tests of workers.
type Timer struct{ w *worker }

// Now returns the time for Sub, in ns.
func (t *Timer) Now() int64 {
	if t.w == nil {
		return clock.Now()
	}
	return t.w.now()
}

// Sub records an operation of a kind that began at from, a time of Now, and has
// ended now. The whole is recorded by the engine, and so are its errors: one of
// an operation inside is recorded under its kind and not counted again. The
// service time is that from from, the response time that from when the whole was
// due.
func (t *Timer) Sub(kind int, from int64, err error) {
	if w := t.w; w != nil && !w.e.sealed.Load() {
		w.record(kind, from, w.after(from), false, err != nil && Class(err) != ClassNotFound)
	}
}
