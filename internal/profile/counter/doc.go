// Package counter is the profiler "counter" of tare bench: events of the
// processor and of the kernel per operation, by perf_event_open(2).
//
//	tare bench --prof counter
//
//	cycles/op, instructions/op, IPC      of the processor
//	branch-misses/op, cache-misses/op    of the processor
//	task-clock-ns/op                     CPU time of all threads, ns
//	page-faults/op                       minor and major
//	context-switches/op, cpu-migrations/op
//
// All threads are counted, in user mode and kernel, from the start of the timer to its last stop. If the
// processor has fewer counters than there are events, the kernel multiplexes them; values are then scaled up,
// and a warning says by how much. Events that the machine cannot count, such as those of the processor in most
// virtual machines, are reported as not available with the kernel's reason.
package counter
