// Package cputime reads the CPU time, the run delay, the memory and the page faults of another process. The run delay is
// the time that the threads were ready to run and had no processor.
//
//	p := cputime.Open(pid)
//	defer p.Close()
//	cpu, ok := p.CPU()      // ns, of all threads, ended ones included
//	delay, ok := p.Delay()  // ns, summed over the threads
//	s, ok := p.Stat()       // state, page faults, memory
//
// None needs a privilege. On systems other than Linux nothing is known. A reading of the CPU time takes well under 1 µs.
// A reading of the delay takes some 10 µs and 1 µs for each thread, so it does not belong into a hot path.
package cputime
