package bench

import "testing"

// Group measures roles that work at the same time, as producers and consumers
// of one queue do. It is called once in a benchmark function, which is an
// ordinary one and runs under go test and under tare:
//
//	func BenchmarkQueue(b *testing.B) {
//		q := make(chan int, 64)
//		bench.Group(b,
//			bench.Role{Name: "producer", Workers: 3, Body: func(w *bench.Worker) {
//				failed := w.Counter("failed offers")
//				for w.Next() {
//					select {
//					case q <- w.Index():
//					case <-w.Done():
//						return
//					default:
//						failed.Inc()
//					}
//				}
//			}},
//			bench.Role{Name: "consumer", Workers: 1, Body: func(w *bench.Worker) {
//				for w.Next() {
//					select {
//					case <-q:
//					case <-w.Done():
//						return
//					}
//				}
//			}},
//		)
//	}
//
// One call is one window of -benchtime. It opens when all workers have come to
// their first Next, and each counts its operations from its next Next on until
// the first one after the window has closed; they go on until all have counted,
// so that nobody is measured while others are missing. Under -benchtime=100x
// the workers do so many operations, all together.
//
// Each role reports operations per second, of all its workers together, under
// its name: producer-op/s. With [Average] it reports the time that one worker
// spends on one operation, producer-ns/op. Bytes and objects allocated per
// operation are those of all workers, without what Setup and Teardown took.
//
// What is wrong fails this benchmark and no other: a worker that panics, that
// comes back before Next has said no or Done was closed, or that does not come
// back within [Grace].
func Group(b *testing.B, parts ...Part) {
	b.Helper()
	measure(b, newConfig(callGroup, parts))
}

// Run measures one body, by default in one worker, and reports the time that an
// operation takes, ns/op. It is a [Group] of one role without a name; parts are
// those of Group that are not about roles, and [Workers].
//
//	bench.Run(b, func(w *bench.Worker) {
//		for w.Next() {
//			sink = parse(input)
//		}
//	}, bench.Bytes(int64(len(input))))
func Run(b *testing.B, body func(w *Worker), parts ...Part) {
	b.Helper()
	measure(b, newConfig(callRun, parts).single(body))
}

// single makes the one role of calls that have but one.
func (c *config) single(body func(w *Worker)) *config {
	c.roles = append(c.roles, Role{Workers: c.workers, Body: body, LockThread: c.lock})
	return c
}
