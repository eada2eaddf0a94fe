package bench

import "testing"

// Group measures roles that run at the same time, such as producers and consumers of one queue. It is called
// once in an ordinary benchmark function:
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
// One call is one window of -benchtime. It opens when all workers have reached their first Next. Each worker
// counts operations from its next Next until its first Next after the window has closed. The workers go on
// until all have finished counting, so that none is measured while others are missing. Under -benchtime=100x
// all workers together do 100 operations.
//
// Each role reports the operations per second of all its workers together under its name: producer-op/s. With
// [Average] it reports the time that one worker spends on one operation, producer-ns/op. Bytes and objects
// allocated per operation are those of all workers, without Setup and Teardown.
//
// The benchmark fails, and no other, if a worker panics, if its body returns before Next returned false or
// Done was closed, or if it does not return within [Grace].
func Group(b *testing.B, options ...Option) {
	b.Helper()
	measure(b, newConfig(callGroup, options))
}

// Run measures one body, by default in one worker, and reports the time per operation, ns/op. It is a [Group]
// of one role without a name. Its options are [Workers] and those of Group except [Role].
//
//	bench.Run(b, func(w *bench.Worker) {
//		for w.Next() {
//			sink = parse(input)
//		}
//	}, bench.Bytes(int64(len(input))))
func Run(b *testing.B, body func(w *Worker), options ...Option) {
	b.Helper()
	measure(b, newConfig(callRun, options).single(body))
}

// single adds the role of calls that have only one.
func (c *config) single(body func(w *Worker)) *config {
	c.roles = append(c.roles, Role{Workers: c.workers, Body: body, LockThread: c.lock})
	return c
}
