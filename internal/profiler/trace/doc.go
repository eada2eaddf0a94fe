// Package trace is the profiler "trace" of tare bench: how often a benchmark calls each
// function, exactly, and for how long, from where and in which order.
//
//	tare bench --prof trace
//	tare trace result.jsonl
//
// Its forks run test binaries of their own, in which functions have probes (package
// weave): those of the package under test, or those that patterns name. Of functions
// that are benchmarks or tests themselves the calls are under way when the timer starts:
// they have none.
//
// # What counts
//
// Calls that begin while the timer runs, in the first iteration after warm-up: none of
// those that set up, that come before b.ResetTimer, or between b.StopTimer and
// b.StartTimer, on whatever goroutine. A half in package testing opens and closes the window; what a
// guess at N has counted, or what came before the timer was set to zero, is forgotten.
// So calls per operation of a benchmark that always does the same are integers:
//
//	p := trace.Profiler(trace.Config{Match: []string{"sort.insertionSort*"}})
//
// One of package bench opens a window of its own while testing's timer runs already:
// calls of a Group's first and last operations are counted, and the operations are not.
// Its record says so, by record.AsmRough and a doubt.
//
// # What it costs
//
// A probe takes some 30 ns, subtracted as package weave tells; where the window is closed,
// some 2 ns. So a benchmark of nothing but calls takes up to 80 times as long, and a fork
// does a sixteenth of the operations of one that is timed, unless the user has fixed N or
// testing finds it (RunParallel). Counts that depend on N, as of a slice that grows over all
// operations, are those of that smaller N. They are exact, and three forks only show
// whether they are always the same.
package trace
