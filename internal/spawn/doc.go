// Package launch starts processes and waits for them without weighing on them, and learns their true peak memory.
//
// # Recipe
//
//	l, err := launch.Start(ctx, launch.Config{}) // once, before the first fork
//	if err != nil {
//		l = launch.Plain(err) // works, but knows no peaks; PeakBy will say why
//	}
//	defer l.Close()
//
//	r, w, err := os.Pipe()
//	child, err := l.Spawn(ctx, launch.Spec{Path: bin, Args: args, Stdout: w, Stderr: w, Timeout: time.Minute, Grace: time.Second})
//	w.Close()                    // the child has its own; now r ends when the child does
//	go readLines(r)              // lines and when they came
//	result, err := child.Wait()  // times, faults, switches, exit code, peak
//
// An error of Wait means that the child did not end by itself: ErrTimeout, ErrKilled, the context's cause, or ErrGone
// when the launcher died. A child that exits with a status other than 0 is a result, not an error.
//
// # Why a launcher at all
//
// Linux (and Go, which starts processes as with vfork) lets a process begin in the memory of the one that starts
// it, and exec folds that memory's high-water mark into the new process's ru_maxrss. A program that does nothing,
// started by a parent that holds 300 MiB, reports 300 MiB. Nor does it help to execute tare a second time: that
// process is as large as tare. So a tiny program without fmt or os, the launcher (directory helper), is built once with
// the user's own go command into the user's cache directory, started before the first fork, and asked to start
// everything else. Its own high-water mark, about 2 MB, is the smallest peak that can be seen; Result.PeakBy says so where
// it matters. A child costs 0.1 ms more than by os/exec, and 1 ms more once in some fifty (helper/renew.go).
//
// A second gain: the launcher does nothing but wait, so the end of a child is timed at once, whatever the garbage
// collector of a large tare does at that moment.
//
// # What a child finds
//
// Standard input is the null device; descriptors 1 and 2 are Spec.Stdout and Spec.Stderr, from 3 on Spec.Extra; no
// other descriptor is inherited, not even those tare was given itself. It leads a process group of its own, so
// a terminal's Ctrl-C reaches neither it nor the launcher. When it ends, what is left of its group is killed. When tare
// dies, by kill -9 as well, the launcher kills the group and ends; when the launcher dies, the kernel kills the
// child (Linux) and tare its group. Out of reach are only processes that left the group (setsid; they may also hold the
// child's output open, so give its reader a deadline after Wait), and, where tare and the launcher are killed at the same
// moment, grandchildren.
//
// # What the numbers mean
//
// Start is read before fork, End after the child became waitable, both CLOCK_MONOTONIC. User, system time and faults
// are the kernel's for the child and those of its children that it waited for; the peak is that of the largest of
// these processes. Linux since 6.2 counts resident pages in batches per CPU, so a peak can be short by some hundred
// KiB per CPU that the child ran on.
package spawn
