package load

import "github.com/tarebench/tare/internal/base/clock"

// Timer records operations inside an operation, such as the READ inside a
// READ-MODIFY-WRITE. The zero value belongs to no run, for tests of workers: Now
// works and Sub does nothing.
type Timer struct{ w *worker }

// Now returns the time for Sub, in ns.
func (t *Timer) Now() int64 {
	if t.w == nil {
		return clock.Now()
	}
	return t.w.now()
}

// Sub records an operation of a kind that began at from, a time of Now, and ends now. The
// engine records the enclosing operation and counts its error; err only decides whether
// the inner one is recorded among the failed. The service time counts from from, the
// response time from when the enclosing operation was due.
func (t *Timer) Sub(kind int, from int64, err error) {
	if w := t.w; w != nil && !w.e.sealed.Load() {
		to := w.after(from)
		w.record(kind, from, to, false, err != nil && Class(err) != ClassNotFound)
		w.part.see(kind, to-from)
	}
}
