// Package fork runs one fork: a process of a test binary that measures one benchmark, or discovers many.
//
//	r := &fork.Runner{Launcher: l, Record: w, …}
//	out, err := r.Run(ctx, fork.Spec{…})
//
// A Runner spawns the process through the launcher, reads its output with the arrival time of each line, and
// writes samples and the fork's own line to the record before it returns. It takes only result lines from the
// output. Because benchmarks may print anything, it searches for results anywhere in a line.
//
// At each result it also reads the CPU time and the run delay of the process (package cputime), except for forks that a
// profiler slows down. Where they are not known, samples lack them.
//
// # The pipe
//
// A process that uses package bench or tare's hooks in testing can report more than testing prints. The
// environment variable TARE_FD holds the number of an open pipe, to which the process writes lines of a
// record, without the fork's id:
//
//	{"k":"hello","v":1,"from":"bench"}                                  first; from "hook" where testing has hooks
//	{"k":"announce","name":…,"mode":"time","roles":[…]}                 once per benchmark of package bench
//	{"k":"sample","iter":1,"phase":"warmup","role":"reader","t":…,…}    in place of those that are printed
//	{"k":"hist",…} {"k":"warn",…} {"k":"attach",…} {"k":"tare",…}       go into the record
//	{"k":"mark","name":…,"iter":1,"phase":"measure","ev":"begin","t":…} windows that were measured
//
// Other kinds, malformed lines and lines without a hello before them are dropped, with one warning for all.
// Nothing that is written there can make a fork wait or fail.
package fork
