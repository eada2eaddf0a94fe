// Package hook is text: the files that package overlay adds to the toolchain's
// package testing for one build.
//
// What stands without testing compiles here, too, and is tested as any other
// package: the lines ([tareLine]), the pipe they go to ([tarePipe]), how many
// operations come next ([tareNext]) and what a counter saw ([tareCount]). What reaches into testing.B is in _testing,
// where the go command does not look; it only compiles as part of testing.
//
// Rules for all of it, because it becomes part of somebody else's package:
//
//   - every name begins with tare;
//   - only what package testing imports may be imported, syscall, on which os
//     stands, and runtime/metrics, which imports no more than they do: anything
//     else is an import cycle for the packages of the standard library that are
//     to be measured;
//   - between the start of the timer and its stop nothing runs and nothing is
//     allocated; without TARE_FD nothing runs at all but a branch.
package hook
