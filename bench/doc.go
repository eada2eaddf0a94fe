// Package bench measures what a testing.B cannot express, inside of ordinary
// benchmark functions: goroutines with different roles, latencies, operations on
// a schedule, single cold operations, parameters, fixtures at each level. Such
// a benchmark runs and reports under plain go test -bench, and tells more
// under tare bench, which starts it in many processes. For programs without go
// test there is [For].
//
// # A recipe
//
// Write a benchmark function, prepare what it needs, and call one measuring
// function with a body that loops over Next:
//
//	func BenchmarkGet(b *testing.B) {
//		c := newCache(1000)                         // 1. prepare, in each call of the function
//		bench.Run(b, func(w *bench.Worker) {        // 2. measure; here ns/op of one goroutine
//			r := w.Rand()                       // 3. what a worker needs, before the loop
//			for w.Next() {                      // 4. the loop: one operation each
//				bench.Sink(c.get(r.IntN(2000)))
//			}
//		}, bench.Workers(4))                        // 5. options
//	}
//
// Choose the function by the question:
//
//   - [Run]: how long does an operation take (ns/op), or with [Throughput], how
//     many are done per second (op/s)?
//   - [Group]: the same of several roles at a time, such as producers and
//     consumers, each with figures of its own.
//   - [Sample]: how are the latencies of single operations distributed?
//   - [Rate]: which latencies does one see who does not wait for the operation
//     before, at a given rate?
//   - [SingleShot]: what does the first operation of a process take?
//
// [Params] runs a benchmark with all combinations of parameters. Fixtures go,
// from the longest-lived to the shortest:
//
//   - into [Trial], for what all windows of a benchmark in a process share;
//   - into the benchmark function, around the measuring call: per window;
//   - into [Role.Setup] and [Role.Teardown], per worker and window; [RoleOf] gives
//     the body what Setup made;
//   - into [Batch], per so many operations, outside of the measured time.
//
// # What is measured
//
// One call of the benchmark function is one window of -benchtime. testing sees
// that the time has passed, or with -benchtime=100x the number, and calls the
// function no more; the b.N that it then prints is the number of operations.
// A measuring function stands once in a benchmark function, without b.Loop and
// outside of any loop over b.N. Logs, b.Fatal and b.ReportMetric are as usual,
// in the goroutine of the benchmark function.
//
// Only operations count that are done while all workers are at work (see
// [Group]), and the sum of their rates is the throughput; that of a whole group
// adds up all roles, both ends of a queue, say. Where there are more
// workers than processors they take turns of some 10 ms; a window that is
// not long against that says little about a single role.
//
// The loop over Next costs what a loop over b.N does. That is measured,
// too: bodies that do nothing, as many and in the same roles, run for a few
// milliseconds before the first window, and what they took stands beside the
// score as floor-ns/op. Allocations per operation do not contain what this
// package, Setup and Teardown allocate; those of other goroutines they do.
//
// # Reproduction
//
// Whatever is random follows from a seed: 1, or the hexadecimal number in the
// environment variable TARE_SEED.
package bench
