// Package loss tells how much of its time a fork lost to others: other programs, or a quota, that had the processors
// while the fork could have run.
//
//	share, known := loss.Of(samples, 1)      // of one fork, from what was read while it ran
//	shares := loss.Shares(forks)             // of all forks of a benchmark, also of older records
//	counts := loss.Select(shares)            // which of them count
//
// # The measure
//
// A fork lost min(wall − CPU time, delay) of its measured iterations, and at least 0. The delay is the time that threads
// were ready and had no processor. Wall minus CPU time alone would also count the time in which a benchmark sleeps or
// waits for a disk. The delay alone would also count a benchmark whose idle threads wait for each other. Forks are chosen
// by this share alone, never by their results.
//
// A benchmark that can keep several processors busy, as by RunParallel, lost what it lacks of all of them, but no more
// than its threads' delay and than other processes used. The share is then one of the time in which its threads could run.
//
// There are three limitations. That a benchmark could use several processors is unknown if its source code does not show
// it and it never got more than one. Time that a hypervisor took is unknown if it does not report that to the kernel. And
// memory and caches that are slower because other processes use them lose no time in this sense.
package loss
