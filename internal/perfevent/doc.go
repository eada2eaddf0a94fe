// Package perfevent samples where a process spends its time, by perf_event_open(2) of
// Linux: at which instruction each of its threads is, so many times per second of CPU
// time, in user mode and in the kernel.
//
//	s, err := perfevent.Open(pid, perfevent.Config{}) // of a process that is held before exec
//	…                                                 // it is released, and ends
//	samples, err := s.Close()
//	samples.Walk(func(x perfevent.Sample, m *perfevent.Map) {
//		file := m.Path // and the address in it: x.IP - m.Start + m.Offset
//	})
//
// # How
//
// An event is opened for each thread of the held process on each processor that is
// online, switched on by exec and inherited by what the process starts. (Of several
// threads any may be the one that executes; the kernel keeps an event with its thread,
// not with the number of the process.) What is opened on one processor shares a ring
// buffer. Times are those of CLOCK_MONOTONIC, which processes share, so that samples
// can be cut to windows that the process told of.
//
// If no event is asked for there is a ladder: cycles of the processor, as precise as it
// can, and the kernel's clock of CPU time where there are no such counters, as in most
// virtual machines; each with the kernel's own instructions and, if that is refused, in
// user mode alone. [Samples.Passed] says why each better rung was passed over.
//
// # What it costs
//
// Each sample interrupts the program. [Cost] measures for how long at least, on a thread of
// this process. Reading the rings takes [Samples.Own] of CPU time, in this process, which
// wakes up when a ring is a quarter full and otherwise sleeps.
package perfevent
