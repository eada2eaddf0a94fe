// Package trace is the profiler "trace" of tare bench: how often a benchmark calls each function, exactly, for how
// long, from where and in which order.
//
//	tare bench --prof trace
//	tare trace result.jsonl
//
// Its processes (forks) run separate test binaries in which functions have probes (package instrument): those of the
// package under test, or those that patterns select. Benchmarks and tests themselves have none, because their calls
// are in progress when the timer starts.
//
// # What counts
//
// Calls count that begin while the timer runs, in the first iteration after warm-up, on any goroutine. Calls before
// b.ResetTimer, or between b.StopTimer and b.StartTimer, do not. A part in package testing opens and closes the
// window. Counts from testing's search for N, or from before the timer was reset, are discarded. So calls per
// operation of a benchmark that always does the same are integers:
//
//	p := trace.Profiler(trace.Config{Match: []string{"sort.insertionSort*"}})
//
// A benchmark of package bench opens its own window while testing's timer runs already: calls in a Group's first and
// last operations are counted, but the operations are not. Its record has record.AsmRough and a warning.
//
// # Overhead
//
// A probe takes about 30 ns, which is subtracted as package instrument describes, and about 2 ns while the window is
// closed. So a benchmark that only makes calls takes up to 80 times as long. Therefore profiled forks run 1/16 of the
// operations of timed ones, unless the user has fixed N or testing finds it (RunParallel). Counts that depend on N,
// as for a growing slice, are those of the smaller N. They are exact; three forks show whether they are always the
// same.
package trace
