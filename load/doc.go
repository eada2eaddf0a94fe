// Package load sends operations to a system on a schedule that the system cannot
// hold up, and records how late they were answered.
//
// # Recipe
//
// A [Target] is what operations are sent to; each worker gets a [Worker] of its
// own. Key-value stores implement the contract of
// [github.com/tarebench/tare/load/kv] instead, and a workload such as
// [github.com/tarebench/tare/load/ycsb] makes a target of a store.
//
//	totals, err := load.Run(ctx, target, load.Config{
//		Schedule: load.Schedule{Rate: 5000},
//		Workers:  8,
//		Duration: 30 * time.Second,
//	}, sink)
//
// Each call of [Run] is one phase: call it for the warm-up and again for the run,
// with the same target. Config.First keeps the numbers of their operations apart.
//
// # What is measured
//
// The due time of every operation is known before the run and does not move.
// Three latencies are recorded apart: response (end − due), what a user waits;
// service (end − start), which excludes queueing; and lateness
// (start − due), the generator's own error. Lateness is recorded only if a worker was
// waiting when the operation fell due: any other wait is backlog, which the system
// causes. Failed operations have a histogram of their own. A record that was not found
// is no failure.
//
// Every operation that was due is counted. In every line of a record
//
//	scheduled = started + dropped + unsent
//	started   = completed + unfinished
//
// Without a schedule there is a closed loop: each worker sends when its last operation
// was answered. It has service times only, because no operation is ever due. When the
// system stalls, so does the load.
//
// # Which worker sends what
//
// There is one schedule for all workers. A free worker takes the next operation, so that
// no operation waits for a worker that hangs. Operation k is chosen by k, not by the worker
// that takes it. In a closed loop workers claim up to 64 operations at once, because a
// shared counter is a bottleneck.
//
// # How a run ends
//
// With a duration, what is due before its end is scheduled. What was not sent by
// then is unsent, unless it is late by less than a millisecond: a run that keeps
// up leaves nothing unsent because its last operation fell due at the last
// moment. With a number of operations and no duration, all of them are sent. Then
// operations in flight are waited for (Config.Drain), and at last cancelled: these
// are unfinished. The rate that was achieved is that of operations answered while
// sending went on.
//
// # Warnings
//
// Whatever limits the trust in the figures is written as a warning; the constants that
// begin with Code are their codes. A warning is about one phase: those of a warm-up come
// before the lines of the run.
//
// # What it costs
//
// An operation allocates nothing. On two cores of a virtual machine (EPYC) that
// were busy with other things, a closed loop around a target that does nothing
// took 59 ns an operation with the cycle counter and 73 with the portable clock,
// 1.95 times as many on two workers as on one where a control that only computes
// did 1.99; of these 59, two readings of the clock are 37. Recording all three
// latencies takes 55 ns, and 69, with both readings (BenchmarkClosed,
// BenchmarkRecording). Histograms take some 100 KB for each kind of operation,
// latency and worker, for at most 64 workers: beyond, these share. Memory does
// not grow with the length of a run.
package load
