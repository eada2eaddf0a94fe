// Package loss tells how much of its time a fork lost to others: other programs, or a quota, that had the processors
// while the fork could have run.
//
//	share, known := loss.Of(samples, 1)      // of one fork, from what was read while it ran
//	shares := loss.Shares(forks)             // of all forks of a benchmark, also of older records
//	counts := loss.Select(shares)            // which of them count
//
// # The measure
//
// A fork lost min(wall − CPU time, delay) of its measured iterations, and at least 0. Wall minus CPU time alone would call
// a benchmark starved that sleeps or waits for a disk; the delay, the time that threads were ready and had no processor,
// alone would call one starved whose idle threads wait for each other. Forks are chosen by this share alone, never by
// their results.
//
// A benchmark that keeps several processors busy when it gets them, as by RunParallel, lost what it lacks of all of them, but no
// more than its threads' delay and than others used; the share is then one of the time in which its threads could run.
//
// What it cannot see: that a benchmark could use several processors, if its sources do not tell and it never got more than one;
// time that a hypervisor took without telling the kernel; and memory or caches that are slower because others use them.
package loss
