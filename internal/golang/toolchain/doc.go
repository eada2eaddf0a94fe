// Package toolchain runs the go command and patches its standard library for one build. It does not change the
// toolchain itself. All of tare's code that runs inside measured processes is here.
//
//	tools, err := toolchain.Find(ctx, toolchain.Command{Dir: dir}, flags...)
//	patch, err := toolchain.Testing(tools, *toolchain.Mem()) // or Runtime(tools, toolchain.Probes)
//	if errors.Is(err, toolchain.ErrUnsupported) { … }        // measure without
//	dir, err := toolchain.CacheDir()
//	file, err := patch.Write(dir, tools.Overlay)
//	// go test -c -overlay=file PKG
//
// There are two patches, and a build may have both: the overlay of one is then passed to the other one's Write.
//
// # Package testing
//
// [Testing] makes unmodified benchmarks report more than they print. A binary built with it behaves as usual unless the
// environment variable TARE_FD names the descriptor of a pipe. Then each benchmark writes there, per iteration:
//
//   - marks at the beginning and end of its timed part, in CLOCK_MONOTONIC ns;
//   - a sample with all that testing prints, not rounded (testing prints whole allocations per operation, and four
//     digits of times), with the number of garbage collections in the timed part and how long they stopped the world,
//     in ns.
//
// Of iterations by time (-test.benchtime=50ms -test.count=K) only the first searches for the number of operations. Each
// of the others is one run of about as many as the one before it.
//
// Testing parses the installed testing/benchmark.go and inserts a few calls, if its statements are the expected ones.
// The called functions are in files that are added to testing; see package hook and the folder _testing. b.Loop is
// not changed: its loop is the same machine code. The garbage collection at the start of each run stays where it was:
// after the hook that may leave garbage, before the timer. Memory statistics are those that testing itself reads when
// the timer starts and stops.
//
// # Package runtime
//
// [Runtime] adds parts, see the folder _runtime: [Probes] count the calls of functions that package instrument has
// changed, [Sampler] records where goroutines are, for profiler sample, and [Allocs] count allocations by call stack, for
// profiler alloc. A program has all that its toolchain supports. Each does nothing until its variable in the environment,
// or its part in package testing, enables it. So they share one compiled standard library: go's build cache is keyed by
// content, and a patch is the same for all programs.
//
// [Totals] write what a program has used when it ends, for tare time. They come alone and edit nothing: what a program
// takes must not contain the costs of other parts, such as a larger g.
//
// # Go versions
//
// Three tables depend on the Go version: the statements of package testing, the edits of package runtime, and what the
// parts use of it (needs.go). An unsupported toolchain is rejected before anything is compiled, with what is missing.
// TestVersions lists which versions support what.
//
// CodSpeed's runner for Go also overlays testing. It ships copies of the toolchain's files, where this package edits
// the installed ones.
package toolchain
