// Package profiler is the contract between tare and its profilers: whatever
// observes running code besides the clock.
//
// A profiler has two halves. The half in the parent implements [Profiler] and,
// if it looks at the process from outside, [Attacher]. The half in the child is
// source text that is compiled into package testing where [Needs.Deep] asks for
// it; it is switched on by the environment and speaks through the fork's pipe.
//
// What a profiler may do:
//
//   - It never changes what it cannot subtract. If it would disturb the times, it
//     asks for forks of its own ([Needs.Forks]); their times never enter scores.
//   - It says what it costs, as a tare line.
//   - Where the machine cannot serve it, it falls back along a stated chain or
//     says why not ([Profiler.Probe]). It never fails a run, and never reports
//     zeros for what it could not observe.
//
// A profiler of perf events, say, attaches before the program's first
// instruction and keeps what falls into the measured windows:
//
//	session, err := p.Attach(pid) // the process is held
//	…                             // it runs, and ends
//	result, err := session.End(windows)
//
// Optional interfaces add steps. An [Interpreter] turns what the half in the process
// has attached into a result, in the parent. A [Preparer] prepares a file or an
// environment for that half. A [Wrapper] runs the process inside another program. A
// [Builder] changes the sources from which the test binaries of its forks are built.
package profiler
