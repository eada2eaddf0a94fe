// Package cputime reads, from outside, how much CPU time another process has used and how long its threads have waited
// for a processor.
//
//	p := cputime.Open(pid)
//	defer p.Close()
//	cpu, ok := p.CPU()      // ns, of all threads, ended ones included
//	delay, ok := p.Delay()  // ns, summed over the threads
//
// Both need no privilege. On systems other than Linux neither is known. A reading of the CPU time takes well under 1 µs.
// A reading of the delay takes some 10 µs and 1 µs for each thread, so it does not belong into a hot path.
package cputime
