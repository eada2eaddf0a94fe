// Package perfevent samples which instructions the threads of a process execute, by perf_event_open(2)
// of Linux: a given number of times per second of CPU time, in user mode and in the kernel.
//
//	s, err := perfevent.Open(pid, perfevent.Config{}) // a process that is held before its exec
//	…                                                 // release it and wait until it ends
//	samples, err := s.Close()
//	samples.Walk(func(x perfevent.Sample, m *perfevent.Map) {
//		file := m.Path // the address in it is x.IP - m.Start + m.Offset
//	})
//
// # How it works
//
// Each event is opened for each thread of the held process on each online processor. It starts with the exec, and
// processes that the program starts inherit it. All threads are opened because any of them may execute, and the
// kernel ties an event to its thread. The events of one processor share a ring buffer. Times are CLOCK_MONOTONIC,
// which all processes share, so samples can be matched with the windows that the process reports.
//
// By default, Open tries a list of events: the processor's cycles with decreasing precision, then the kernel's CPU
// clock, for machines without such counters, as most virtual ones. Each is tried with the kernel's instructions and,
// if that is refused, in user mode alone. [Samples.Rejected] has the reasons why better events were not used.
//
// # Overhead
//
// Each sample interrupts the program; [Cost] measures for how long. Reading the rings takes
// [Samples.ReaderCPU] of this process, which wakes up when a ring is a quarter full.
package perfevent
