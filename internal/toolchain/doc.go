// Package toolchain runs the go command and patches its standard library for one build, without
// touching the toolchain itself. All of tare's code that runs inside a measured process is here.
//
//	tools, err := toolchain.Find(ctx, toolchain.Command{Dir: dir}, flags...)
//	patch, err := toolchain.Testing(tools, *toolchain.Mem()) // or Runtime(tools, toolchain.Probes)
//	if errors.Is(err, toolchain.ErrUnsupported) { … }        // measure without
//	file, err := patch.Write(toolchain.CacheDir(), tools.Overlay)
//	// go test -c -overlay=file PKG
//
// There are two patches, and a build may have both: the overlay of one is among the files that the
// other one's Write keeps.
//
// # Package testing
//
// [Testing] has unmodified benchmarks report more than they print. A binary built so behaves as
// ever until it finds the descriptor of a pipe in TARE_FD. Then each benchmark writes there, per
// iteration:
//
//   - marks of where its timed part began and ended, in CLOCK_MONOTONIC ns;
//   - a sample with all that testing prints, not rounded (testing prints whole allocations per
//     operation, and four digits of times), with the cycles of the garbage collector in the timed
//     part and how long they stopped the world, in ns.
//
// Of iterations by time (-test.benchtime=50ms -test.count=K) only the first searches for the
// number of operations: each of the others is one run, of about as many as the one before it.
//
// testing/benchmark.go is parsed as it is installed, and a few calls are inserted where its
// statements are the expected ones. What they call is in files that are added to testing, see
// package hook and the folder _testing. b.Loop itself stays as it is: its loop is the same machine
// code with hooks and without. The garbage collection at the start of each run also stays where it
// was: after the hook that may leave garbage, before the timer. Memory statistics are those that
// testing reads anyway when the timer starts and stops.
//
// # Package runtime
//
// [Runtime] adds two halves, see the folder _runtime: [Probes] count the calls of functions that
// package instrument has changed, and [Sampler] records where goroutines are, for profiler sample.
// A program has both where its toolchain supports both. Each does nothing until its variable is in
// the environment. So counting and sampling share one compiled standard library: go's build cache
// goes by the content of files, and a patch is the same, byte for byte, for all programs.
//
// # Go versions
//
// What depends on the Go version is in three tables: the statements of package testing (places),
// the edits of package runtime (halves), and what is used of it (needs.go). A toolchain that differs
// is refused before anything is compiled, by what it lacks. TestVersions says which
// versions support what.
//
// CodSpeed's runner for Go also puts an overlay over testing; it ships copies of the toolchain's
// files where this edits what is installed.
package toolchain
