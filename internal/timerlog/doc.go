// Package timerlog records when the timer of a benchmark ran, for profilers that observe the whole process:
// samples taken while the timer is stopped, such as in set-up, do not belong to the benchmark.
//
//	notes, err := timerlog.New()                      // in Prepare, before the fork starts
//	env := notes.Env(timerlog.Room)                   // environment of the fork
//	ran, err := notes.Read()                       // in End, after the fork has ended
//	when := timerlog.Timed(windows, ran)
//	timerlog.Holds(when.Ran, t)                       // does a sample at t count?
//
// The half in the process is toolchain.Stops, with which such a profiler's test binaries are built. It writes
// two numbers for each stop of the timer.
package timerlog
