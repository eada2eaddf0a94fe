// Package load sends operations to a system on a schedule that does not depend on the
// system (open loop), and records their latencies.
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
// tare load PACKAGE runs a target that a package has in a function
//
//	func Target(cfg map[string]string) (load.Target, error)
//
// of which cfg has what -p sets, and [Settings].
//
// Each call of [Run] is one phase: call it for the warm-up and again for the run,
// with the same target. Set Config.First so that the operations of the phases have
// different numbers.
//
// # What is measured
//
// The due time of every operation is known before the run and does not move.
// Three latencies are recorded: response (end − due), the time that a user waits;
// service (end − start), which excludes queueing; and lateness
// (start − due), the generator's own error. Lateness is recorded only if a worker was
// waiting when the operation were due: any other wait is backlog, which the system
// causes. Failed operations have a histogram of their own. A record that was not found
// is no failure.
//
// Every operation that was due is counted. In every line of a record:
//
//	scheduled = started + dropped + unsent
//	started   = completed + unfinished
//
// Operations that were never answered have histograms too, written with the last interval:
// how long they had waited since they were due ([record.TagUnanswered]) and since they were
// seen to be in flight ([record.TagUnansweredService]). These are lower bounds of their response
// and service times. Those that were never sent may have been of any kind.
//
// Without a schedule there is a closed loop: each worker sends when its last operation
// was answered. It has service times only, because no operation is ever due. When the
// system stalls, so does the load.
//
// # Workers
//
// There is one schedule for all workers. A free worker takes the next operation, so that
// no operation waits for a worker that hangs. Operation k is chosen by k, not by the worker
// that takes it. In a closed loop workers claim up to 64 operations at once, because a
// shared counter is a bottleneck.
//
// An operation may pause, as users think between the steps of a transaction ([Timer.Pause]). Then the
// worker does not count: another is added for that time. Once an operation has paused, Config.Workers
// or MaxOutstanding limits how many operations are sent at once, and not the number of workers.
//
// # Several load generators
//
// With Config.Share a phase sends a part of the operations of one schedule, and other load
// generators, on other machines, send the rest. Numbers and due times of operations are those of
// the whole: the same seed gives the same operations however many load generators there are.
// Counts and histograms are those of the part. Their sums are what one load generator would have
// counted, if all begin at the same time, which Config.Ready returns. [Share.Reassign] gives operations that are
// still to come other owners, while the phase runs.
//
// # How a run ends
//
// With a duration, operations that are due before its end are scheduled. Operations
// not sent by then are unsent, unless they are late by less than a millisecond: the
// last operation may be due just before the end. With a number of operations and no
// duration, all of them are sent. Then the run waits for operations in flight
// (Config.Drain) and finally cancels them: these are unfinished. The achieved rate is
// that of operations answered while operations were sent. One that paused at the end of sending
// counts too if it is answered before it is cancelled.
//
// # Warnings
//
// Conditions that make the results less trustworthy are written as warnings; the
// constants that begin with Code are their codes. A warning is about one phase: those
// of a warm-up come before the lines of the run.
//
// # Overhead
//
// An operation allocates nothing. On two busy cores of a virtual machine (EPYC), a
// closed loop around an empty target took 59 ns per operation with the cycle counter
// (35 ns of it for the two clock reads around an operation) and 73 ns with the portable clock. Two workers
// did 1.95 times as many operations as one; pure computation scaled by 1.99.
// Recording all three latencies takes 55 and 69 ns, including both clock reads
// (BenchmarkClosed, BenchmarkRecording). Histograms take about 100 KB for each kind of
// operation, latency and worker. More than 64 workers share histograms. Memory does
// not grow with the length of a run.
package load
