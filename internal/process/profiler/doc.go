// Package profiler is the contract between tare and its profilers, which observe running code.
//
// A profiler has a part in the parent and may have one in the measured process. The part in the parent implements
// [Profiler] and, if it observes the process from outside, [Attacher]. The part in the process is source text that is
// compiled into package testing if [Needs.Hooks] requests it. The environment enables it, and it writes to the fork's
// pipe.
//
// Rules for profilers:
//
//   - A profiler that disturbs the measured times requests forks of its own ([Needs.OwnForks]). Their times never
//     enter results.
//   - It reports its overhead as a tare line.
//   - If the machine does not support it, it uses a documented fallback or reports why not ([Profiler.Available]).
//     It never makes a run fail, and never reports zeros for what it did not observe.
//
// A profiler of perf events, for example, attaches before the program's first instruction and keeps the samples in
// the measured windows:
//
//	session, err := p.Attach(pid) // the process is held
//	…                             // it runs and ends
//	result, err := session.End(windows)
//
// Optional interfaces add steps. An [Interpreter] converts what the part in the process attached, in the parent. A
// [Preparer] prepares a file or the environment for that part. A [Wrapper] runs the process inside another program. A
// [Builder] changes the sources of the test binaries of its forks. An [Inspector] examines test binaries, and needs no forks.
package profiler
