// Package bench measures what testing.B cannot express, in ordinary benchmark functions: goroutines with
// different roles, latencies, operations on a schedule, single cold operations, parameters, and fixtures at
// each level. Such a benchmark runs and reports under plain go test -bench. Under tare bench it runs in many
// processes (forks) and reports more. For programs without go test there is [For].
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
// Choose the function by what you want to know:
//
//   - [Run]: the time per operation (ns/op), or with [Throughput] the operations
//     per second (op/s).
//   - [Group]: the same for several roles at once, such as producers and
//     consumers, each with its own results.
//   - [Sample]: the distribution of the latencies of single operations.
//   - [Rate]: response times at a given rate of operations, for users who do not
//     wait for each other.
//   - [SingleShot]: the time of the first operation of a process.
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
// One call of the benchmark function is one window of -benchtime, or with -benchtime=100x one window of 100
// operations. After it testing does not call the function again, and prints the number of operations as b.N. A
// benchmark function calls one measuring function once, without b.Loop and outside of any loop over b.N. Logs,
// b.Fatal and b.ReportMetric work as usual in the goroutine of the benchmark function.
//
// Only operations that are done while all workers are running count (see [Group]). Throughput is the sum of
// the workers' rates; that of a whole group is the sum over all roles, such as both ends of a queue. If there
// are more workers than processors they take turns of about 10 ms, so a short window says little about a
// single role.
//
// The loop over Next costs as much as a loop over b.N, at the best place in memory; docs/limits.md has figures. This overhead is measured: before the first window
// empty bodies run for a few milliseconds in the same roles, and their time is reported as floor-ns/op.
// Allocations per operation exclude those of this package, Setup and Teardown. They include those of other
// goroutines.
//
// # Reproduction
//
// All randomness follows from a seed: 1, or the hexadecimal number in the environment variable TARE_SEED.
package bench
