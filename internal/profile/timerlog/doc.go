// Package timerlog records when the timer of a benchmark ran, for profilers that observe the whole process:
// samples taken while the timer is stopped, such as in set-up, do not belong to the benchmark.
//
//	log, err := timerlog.New()                     // in Prepare, before the fork starts
//	env := log.Env(timerlog.DefaultCapacity)       // environment of the fork
//	ran, err := log.Read()                         // in End, after the fork has ended
//	timing := timerlog.NewTiming(windows, ran)
//	timerlog.Contains(timing.Ran, t)               // does a sample at t count?
//
// The part in the process is toolchain.TimerLog, with which such a profiler's test binaries are built. It writes two
// numbers for each stop of the timer.
package timerlog
