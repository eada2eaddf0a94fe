// Package trace is the profiler "trace" of tare bench: how often a benchmark calls each function,
// exactly, for how long, from where and in which order.
//
//	tare bench --prof trace
//	tare trace result.jsonl
//
// Its processes (forks) run test binaries of their own, in which functions have probes (package
// instrument): those of the package under test, or those that patterns name. Benchmarks and tests
// themselves have none: their calls are in progress when the timer starts.
//
// # What counts
//
// Calls count that begin while the timer runs, in the first iteration after warm-up, on whatever
// goroutine. Calls before b.ResetTimer, or between b.StopTimer and b.StartTimer, do not. A half in
// package testing opens and closes the window. What was counted while testing searched for N, or
// before the timer was set to zero, is discarded. So calls per operation of a benchmark that always
// does the same are integers:
//
//	p := trace.Profiler(trace.Config{Match: []string{"sort.insertionSort*"}})
//
// A benchmark of package bench opens a window of its own while testing's timer runs already: calls
// in a Group's first and last operations are counted, and the operations are not. Its record says
// so, by record.AsmRough and a warning.
//
// # What it costs
//
// A probe takes some 30 ns, which is subtracted as package instrument describes, and some 2 ns
// while the window is closed. So a benchmark that only makes calls takes up to 80 times as long,
// and profiled forks run 1/16 of the operations of timed ones, unless the user has fixed N or
// testing finds it (RunParallel). Counts that depend on N, as of a slice that grows over all
// operations, are those of that smaller N. They are exact; three forks show whether they are always
// the same.
package trace
