// Package sched is the profiler "sched" of tare bench: which goroutines ran while a benchmark was measured, for how
// long, and how long they waited, according to the execution trace of runtime/trace.
//
//	tare bench --prof sched
//
// It measures, over all goroutines that took part in the window, except the tracer's:
//
//	sched-running-ns/op    time on a P, a logical processor of the scheduler
//	sched-runnable-ns/op   time waiting for a P
//	sched-blocked-ns/op    time waiting for anything else: channels, locks, sleep, network;
//	                       without the runtime's own goroutines
//	sched-syscall-ns/op    time in system calls
//	sched-slices/op        periods of running: 1 plus the number of times it is scheduled
//	sched-goroutines       goroutines that took part: that were not blocked all the time
//
// Blocked time is divided by cause, as in sched-blocked-lock-ns/op; see [record.WaitCauses]. The parts add up to
// sched-blocked-ns/op. The benchmark's own goroutine, the one that starts the timer, has four metrics that add up to
// the wall time of the window: sched-wall-running-ns/op, sched-wall-runnable-ns/op, sched-wall-blocked-ns/op and
// sched-wall-syscall-ns/op. If the trace has no clock to cut it by (Go before 1.25), their sum differs from the wall time
// by the time between the limits of the window and the trace events for them, the Rest of [record.Waits]. It is negative
// if the time between these events is longer than the window.
//
// A goroutine of sync.WaitGroup's Go, or of another method with that name, is named after the method's caller. Each
// fork also has the same figures by the function in which goroutines began, with the minimum, mean and maximum
// running time of one goroutine: the attachment [record.Goroutines]. The attachment [record.Waits] has the causes of
// waiting, the lines that waited, and the lines of other goroutines that ended the waits.
//
// # What goroutines wait for
//
// The trace has a reason for each wait, the stack of the goroutine that waits, and that of the goroutine that wakes it.
// Of a lock, the latter is the holder that released it: if another goroutine took the lock before the one that was
// woken, that one waits again and counts again. Any semaphore of the runtime has the reason "sync"; the stack
// distinguishes locks, wait groups and the garbage collector.
//
// A line of source that waits is the first of the stack outside of the runtime and of the packages that wait on behalf
// of others, such as sync, os and net. If the benchmark's own goroutine waits for a sync.WaitGroup, the cause is
// "workers": what they do meanwhile is in their own times.
//
// The waits of the runtime's goroutines are excluded, and those of goroutines that waited all the time. Locks inside
// of the runtime are not in the trace. Work for the garbage collector (assists) is running time.
//
// # What running means
//
// The trace contains when a goroutine was put on a P and when it left it, but not what the kernel did with the
// thread. On a busy machine a goroutine can be on a P and not on a processor, so the sums are too high. The record
// also has the CPU time of the process in the same window. The ratio of both scales the sums to an estimate of CPU
// time. It is an estimate because the CPU time includes what runs outside of goroutines.
//
// Six goroutines of known durations, 1 to 6 units, were measured at 0 to 18 % above the truth on a virtual machine
// with 2 cores. usage.Pool has exact figures for each worker, from the clocks of its thread.
//
// # Overhead and limits
//
// The trace costs about 10 % if goroutines are scheduled often, and almost nothing otherwise. It runs in forks of its
// own; their times are not results. A trace stops at 64 MiB. Then the window's figures are scaled up from the part
// before, and a warning says so. A benchmark that traces itself cannot be traced.
package sched
