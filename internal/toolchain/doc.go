// Package overlay puts hooks into the toolchain's own package testing, for one
// build and without touching the toolchain: unmodified benchmarks then tell tare
// more than they print.
//
//	o, err := overlay.New(overlay.Toolchain{Root: goroot, Version: goversion, OS: goos})
//	if errors.Is(err, overlay.ErrUnfit) { … } // measure without
//	file, err := o.Write(cacheDir, nil)
//	// go test -c -trimpath -overlay=file PKG
//
// A binary built so behaves as ever, until it finds the descriptor of a pipe in
// TARE_FD. Then each benchmark writes there, per iteration:
//
//   - marks of where its timed part began and ended, in CLOCK_MONOTONIC ns;
//   - a sample with all that testing prints, not rounded (testing prints whole
//     allocations per operation, and four digits of times), with the cycles of the
//     garbage collector in the timed part and how long they stopped the world.
//
// And of iterations by time (-test.benchtime=50ms -test.count=K) only the first
// guesses how many operations it needs: each of the others is one run, of about
// the N that the one before it had. RunParallel hands out portions that suit it.
//
// # How it is done
//
// testing/benchmark.go is parsed as it is installed, and a few calls are inserted
// into its text where its statements say that they belong; a toolchain whose
// statements are others is refused by name. No line moves, so that traces show
// the lines of the original. b.Loop itself is left alone: its loop is the same
// machine code, with hooks and without. What the calls do is in files that are
// added to testing, see package hook.
//
// The garbage collection at the start of each run stays where it was: after the
// hook that may leave garbage, before the timer. Memory statistics are those that
// testing reads anyway when the timer starts and stops.
//
// CodSpeed's runner for Go goes the same way, by an overlay over testing; it
// ships copies of the toolchain's files where this edits what is there.
package toolchain
