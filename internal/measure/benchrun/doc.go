// Package benchrun measures Go benchmarks in processes (forks). Each step takes
// the value of the step before it:
//
//	built, err := benchrun.Build(ctx, config)       // sides, record file, test binaries
//	defer built.Close()
//	found, err := benchrun.Discover(ctx, built)     // the benchmarks in them
//	defer found.Close()
//	plan, err := benchrun.Calibrate(ctx, found)     // operations per iteration, time per fork
//	err = benchrun.Measure(plan)                    // the forks that count
//	result := built.Recorder.Result()
//
// [Resume] takes the place of Discover and Calibrate where a record holds the
// plan already. [Selftest] measures a binary against itself.
//
// Errors know their exit code (internal/base/exit). [plan.ErrInterrupted] is returned
// after a signal.
package benchrun
