// Package hook contains files that package toolchain adds to package testing for one build.
//
// Files that do not need testing compile here, too, and have ordinary tests: the lines ([tareLine]), the pipe to
// which they are written ([tarePipe]), the next number of operations ([tareNext]) and the value of a counter
// ([tareCount]). Files that use testing.B are in internal/golang/toolchain/_testing, which the go command ignores; they
// compile only as part of testing.
//
// All files become part of package testing. So
//
//   - every name begins with tare;
//   - only packages that testing imports may be imported, and syscall, on which os is built, and runtime/metrics,
//
// which imports
//
//	  nothing else: any other import would be a cycle for packages of the standard library that are to be measured;
//	- while the timer runs, nothing runs and nothing is allocated; without TARE_FD, only a branch runs at all.
package hook
