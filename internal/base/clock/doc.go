// Package clock reads the monotonic clock that all processes of a machine
// share, and measures what reading it costs.
//
// Stamps of different processes must be comparable: a profiler selects the samples
// within the iterations that a fork has measured. So [Now] is the kernel's monotonic
// clock (CLOCK_MONOTONIC on Linux) and not the time since the start of this process.
//
//	t0 := clock.Now()
//	work()
//	ns := clock.Now() - t0
//
// The cost is measured on the machine and recorded:
//
//	w := clock.Measure() // takes less than 30 ms
//	fmt.Printf("%.0f ns per read, %.0f ns resolution, empty loop %.2f ns\n",
//		w.Read, w.Resolution, w.Loop)
//
// # Implementation of Now
//
// A clock_gettime through golang.org/x/sys/unix is a real system call: 207 ns
// on a virtual machine (EPYC, tsc). The Go runtime reads the same clock through the
// vDSO in 22 ns, but returns only differences. At program start, the package therefore
// brackets the runtime's reading between two system calls many times, and keeps the
// difference of the two clocks. [Shared] returns its uncertainty: ± 105 ns there,
// about half a system call. Both clocks are readings of one kernel clock, so the
// difference is constant in a process and does not drift.
//
// The anchor costs 17 µs at program start and never changes. Stamps are comparable
// between processes of one kernel and one time namespace; a container may have its own
// time namespace (time_namespaces(7)).
//
// # The cycle counter
//
// [Cycles] reads the processor's time-stamp counter where the kernel does: 18 ns
// a reading against 28 of Now (same machine, in one run, median of 4000 batches
// each). The gain is not larger because a reading must be in program order,
// which the fence costs 6 of them. Without it a load from memory that takes 140
// ns was measured as 0, and of 20 million stamps 1 to 30 % were earlier than one
// that had been seen before from the other core, by up to 0.5 µs; with it none.
//
//	c, why := clock.NewCycles() // why it reads Now, if it does
//	t0 := c.Now()
//	work()
//	ns := c.Since(t0)
//
// # Other systems
//
// On macOS the shared clock is CLOCK_UPTIME_RAW, because the Go runtime reads
// mach_absolute_time there, which CLOCK_MONOTONIC is not. On Windows Now reads
// the performance counter at each call: the runtime's own clock moves in steps
// of 0.5 to 15.6 ms there. On systems without a known shared clock Now counts
// from the start of the process and [Shared] says so.
//
// Inside a testing/synctest bubble Now follows the bubble's fake clock:
// differences are right, absolute values are not.
package clock
