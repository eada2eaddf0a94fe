// Package spawn starts processes with little overhead, waits for them, and reports their true peak memory.
//
// # Recipe
//
//	l, err := spawn.Start(ctx, spawn.Config{}) // once, before the first fork
//	if err != nil {
//		l = spawn.Plain(err) // works, but without peaks; PeakBy gives the reason
//	}
//	defer l.Close()
//
//	r, w, err := os.Pipe()
//	child, err := l.Spawn(ctx, spawn.Spec{Path: bin, Args: args, Stdout: w, Stderr: w, Timeout: time.Minute, Grace: time.Second})
//	w.Close()                    // the child has its own; now r ends when the child does
//	go readLines(r)              // lines and when they came
//	result, err := child.Wait()  // times, faults, switches, exit code, peak
//
// Wait returns an error if the child did not end by itself: ErrTimeout, ErrKilled, the context's cause, or
// ErrGone if the launcher died. A nonzero exit status is a result, not an error.
//
// # Why a launcher at all
//
// On Linux a child's ru_maxrss includes its parent's peak: Go starts processes as vfork does, so the child begins in
// the parent's memory, and exec keeps that memory's high-water mark. A program that does nothing, started by a parent
// of 300 MiB, reports 300 MiB. Executing tare a second time would not help, because that process is as large as tare.
// Therefore every child is started by the launcher (directory helper), a tiny program without fmt or os. It is built
// once with the user's go command into the user's cache directory and started before the first fork. Its own
// high-water mark, about 2 MB, is the smallest peak that can be measured; Result.PeakBy says when this matters. A
// child costs 0.1 ms more than with os/exec, and one in about fifty costs 1 ms more (helper/renew.go).
//
// The launcher does nothing but wait, so it also times the end of a child without delay, even while tare's own
// garbage collector runs.
//
// # What a child inherits
//
// Standard input is the null device; descriptors 1 and 2 are Spec.Stdout and Spec.Stderr, from 3 on Spec.Extra; no
// other descriptor is inherited. The launcher leads a session of its own, without a terminal, in which each child leads a
// process group: a terminal's Ctrl-C reaches none of them, and [Launcher.Prioritize] none of ours. When the child ends, the rest of its group is killed. When tare dies, even by kill -9, the launcher
// kills the group and exits. When the launcher dies, the kernel kills the child (Linux) and tare kills its group. Two
// kinds of processes survive: those that left the group with setsid, and grandchildren if tare and the launcher are
// killed at the same moment. A survivor may hold the child's output open, so give its reader a deadline after Wait.
//
// # What the numbers mean
//
// Start is read before fork, End after the child became waitable, both CLOCK_MONOTONIC. User time, system time
// and faults are the kernel's sums over the child and those of its children that it reaped. The peak is
// that of the largest of these processes. Since 6.2 Linux counts resident pages in batches per CPU, so a peak
// can be too low by some hundred KiB per CPU that the child ran on.
package spawn
