// Package stops tells when the timer of a benchmark ran, for profilers that look at a
// process from outside or all the time: what they see while it stands, in set-up for the
// next operation and in what testing does to stop it, is none of the benchmark's.
//
//	notes, err := stops.New()                      // in Prepare, before a fork is started
//	env := notes.Env(stops.Room)                   // for its environment
//	ran, err := notes.Read()                       // in End, when it has ended
//	when := stops.Timed(windows, ran)
//	stops.Holds(when.Ran, t)                       // does what was seen at t count?
//	doubts := stops.Doubts("asm", when.Noted, err)
//
// The half in the process is overlay.Stops, with which such a profiler's test binaries are
// built: two numbers for each stop, which it knows anyway. A benchmark that never
// stops its timer writes a few of them.
package timerlog
