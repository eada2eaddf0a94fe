// Package programrun runs a program under a profiler and writes records: the machine code in which
// it spends its time (asm), the calls of its functions (trace), the stacks on which it is found
// (sample), and the latter two side by side (contrast).
//
//	r, err := programrun.Open(programrun.Options{Config: programrun.Config{Verb: record.KindTrace}, …})
//	defer r.Close()
//	traced, err := r.Trace(target.FromPackage([]string{"./cmd/server"}, nil, ""), cfg)
//	r.Finish()
//
// A program is a case of the record and each run a process (fork). What a profiler has found is
// attached to its fork.
package programrun
