// Package hook is text: files that package toolchain adds to package testing for one build.
//
// What does not need testing compiles here, too, and is tested as any other package: the lines
// ([tareLine]), the pipe they are written to ([tarePipe]), how many operations come next
// ([tareNext]) and the value of a counter ([tareCount]). What uses testing.B is in
// internal/toolchain/_testing, which the go command ignores; it compiles only as part of testing.
//
// All of it becomes part of somebody else's package. So
//
//   - every name begins with tare;
//   - only what package testing imports may be imported, and syscall, on which os is built, and
//     runtime/metrics, which imports nothing else: any other import would be a cycle for the
//     packages of the standard library that are to be measured;
//   - between the start of the timer and its stop nothing runs and nothing is allocated; without
//     TARE_FD nothing runs at all but a branch.
package hook
