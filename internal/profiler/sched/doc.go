// Package sched is the profiler "sched" of tare bench: which goroutines ran while a
// benchmark was measured, for how long, and how long they waited, by the execution
// trace of package runtime/trace.
//
//	tare bench --prof sched
//
// What it measures, over all goroutines that took part in the window, but for the
// tracer's own:
//
//	sched-running-ns/op    time on a P, one of the GOMAXPROCS places of the scheduler
//	sched-runnable-ns/op   time waiting for a P
//	sched-blocked-ns/op    time waiting for anything else: channels, locks, sleep, network;
//	                       not of the runtime's own goroutines, which wait for no benchmark
//	sched-syscall-ns/op    time in system calls
//	sched-slices/op        stretches of running: 1, and one more for each time that one is scheduled
//	sched-goroutines       goroutines that took part: that did anything but be blocked
//
// A goroutine of sync.WaitGroup's Go, or of another method of that name, goes by who
// called the method. Besides, each fork has the same figures grouped by the function that the
// goroutines began in, with the least, the mean and the most that one of them ran: the
// attachment [record.Goroutines].
//
// # What running means
//
// The trace knows when a goroutine was put on a P and when it left it. What the kernel
// did with the thread meanwhile it does not know: on a machine that is busy with other
// things a goroutine can be on a P and not on a processor. So the sums come out too
// high there, and the CPU time that the kernel counted for the process in the same
// window stands beside them. Their ratio scales the sums to an estimate of CPU time:
// an estimate, because the CPU time includes what runs outside of goroutines.
//
// Six goroutines of known weights, 1 to 6, came out at 0 to 18 % above the truth
// elsewhere, on a virtual machine of 2 cores. Exact figures for each worker, by the
// clocks of its thread, are those of usage.Pool.
//
// # Cost and limits
//
// The trace costs some 10 % where goroutines are scheduled often, and next to nothing
// where they are not. Its forks are its own and their times are no scores. A trace is
// stopped at 64 MiB; the rest of the window is scaled up from the part before, and a
// doubt says so. A benchmark that traces itself cannot be traced.
package sched
