// Package load sends operations to a system on a schedule that the system cannot
// hold up, and records how late they were answered.
//
// # Recipe
//
// A [Target] is what operations are sent to; each worker gets a [Worker] of its
// own. Key-value stores implement [DB] instead, and a workload such as
// [github.com/tarebench/tare/load/ycsb] makes the target.
//
//	totals, err := load.Run(ctx, target, load.Config{
//		Schedule: load.Schedule{Rate: 5000},
//		Workers:  8,
//		Duration: 30 * time.Second,
//	}, sink)
//
// # What is measured
//
// The due time of every operation is known before the run and does not move.
// Three latencies are recorded apart: response (end − due), what a user waits;
// service (end − start), what an omitting tool reports; and lateness
// (start − due), the generator's own error, recorded only where a worker was
// already waiting when the operation fell due: otherwise the wait is backlog, and
// the system's.
//
// Nothing that was due is forgotten:
//
//	scheduled = started + dropped + unsent
//	started   = completed + unfinished
package load
