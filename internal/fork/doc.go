// Package fork runs one fork: one process of one test binary that measures one
// benchmark, or discovers many.
//
//	r := &fork.Runner{Launcher: l, Record: w, …}
//	out, err := r.Run(ctx, fork.Spec{…})
//
// A Runner spawns the process through the launcher, reads its output line by
// line with the time at which each line arrived, and writes samples and the
// fork's own line to the record before it returns. What the process prints is
// trusted for nothing but result lines, and those are looked for anywhere in a
// line: benchmarks print what they like.
//
// # The pipe
//
// A process that knows tare may say more than testing can print. It finds the
// number of an open pipe in the environment variable TARE_FD and writes lines of
// a record to it, without the fork's id:
//
//	{"k":"hello","v":1,"from":"bench"}                                  first; from "hook" where testing has hooks
//	{"k":"announce","name":…,"mode":"time","roles":[…]}                 once per benchmark of package bench
//	{"k":"sample","iter":1,"phase":"warmup","role":"reader","t":…,…}    in place of those that are printed
//	{"k":"hist",…} {"k":"warn",…} {"k":"attach",…} {"k":"tare",…}       go into the record
//	{"k":"mark","name":…,"iter":1,"phase":"measure","ev":"begin","t":…} windows that were measured
//
// Other kinds, malformed lines and what comes without a hello are left out, and
// one warning says so. Nothing that is written there, or not written, makes a
// fork wait or fail.
package fork
