// Package programrun runs a program under a profiler and writes records: the machine code in which
// it spends its time (asm), the calls of its functions (trace), the stacks on which it is found
// (sample), and the latter two side by side (contrast).
//
//	r, err := programrun.Open(programrun.Options{Job: &job, Records: "x.jsonl"})
//	defer r.Close()
//	seen, err := r.Run()
//
// A program is a case of the record and each run a process (fork). What a profiler has found is
// attached to its fork.
package programrun
