// Package why says what made a benchmark slower or faster: it divides the difference of two sides among causes.
//
//	a := why.Explain(&why.Evidence{Wall: …, Functions: …, Sites: …, Notes: …, Waits: …}, why.LeastShare)
//	for _, c := range a.Causes { … }
//
// # The model
//
// The difference is divided in two parts. CPU time per operation is divided among functions by samples. The time that the
// benchmark's goroutine waited is divided by cause. A cause counts in one part only. A share of the difference of CPU time
// is converted to a share of the wall time: the factor is the part of the difference in which the benchmark's goroutine
// ran, because the collector may run beside it.
//
// Functions are joined to groups before anything is compared: functions whose inlining changed, functions that
// were renamed, the allocator with the garbage collector, and what functions do for a caller that changed, along the calls in the
// machine code. What the scheduler and the kernel do is joined with waits or allocations, if these changed. A group's change is
// ΔCPU = CPU(B)·share(B) − CPU(A)·share(A). The changes of all groups add up to the difference of CPU time.
//
// The variance of a group's change is that of a share of n samples, p(1−p)/n, and that of the CPU time between forks. A group
// whose interval includes no change explains nothing.
//
// Where the difference is below 10 % (5 % with 5,600 samples a side), samples cannot carry it. Then the frame is exact counts, and
// shares are of the added instructions, not of time.
//
// Where the machine is at fault, only counts name causes. docs/method.md has the whole model.
//
// Nothing is named that the same code compared with itself would show as often: counts have thresholds, times have intervals.
package why
