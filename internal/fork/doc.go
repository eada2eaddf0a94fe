// Package fork runs one fork: one process of one test binary that measures one
// benchmark, or discovers many.
//
//	r := &fork.Runner{Launcher: l, Record: w, …}
//	out, err := r.Run(ctx, fork.Spec{…})
//
// A Runner spawns the process through the launcher, reads its output line by
// line with the time at which each line arrived, listens on the pipe that the
// process may write richer records to (TARE_FD), and writes samples and the
// fork's own line to the record before it returns. What the process prints is
// trusted for nothing but result lines, and those are looked for anywhere in a
// line: benchmarks print what they like.
package fork
