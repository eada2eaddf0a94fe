// Package instrument inserts probes at the beginning and the end of functions, for one build and without changing the
// sources.
// It also reads the results: how often each function was called, for how long, from where, and in which order.
//
//	b, err := instrument.Plan(ctx, instrument.Config{Match: []string{"./..."}, Work: dir})
//	// go build -o program, with b.Flags, and b.Env in the environment
//	err = b.Check("program") // fails if it has no probes
//	arena, err := b.NewArena(instrument.ArenaConfig{Path: 10000})
//	defer arena.Close()
//	// run program, with arena.Env() in the environment; however it ends:
//	trace, err := instrument.Read(arena.Path, b) // a record.Trace
//
// # Patterns
//
// Functions have Go's names: pkg.Func, pkg.(*T).Method or pkg.T.Method, where pkg is an import path, its last
// elements, or the name of a package. A * matches any text: pkg.* selects all functions and methods of a package. A
// name alone, or T.Method, selects from the packages that are built. Patterns of packages (./..., ./cmd) select all
// their functions. A pattern /regexp/ is matched against the full names in all packages except those of the standard
// library, which must be named. Instances of a generic function count as one: pkg.Func[...].
//
// # How it works
//
// A function's text becomes
//
//	func F() { defer tareruntime.TareExit(tareruntime.TareBegin(tareruntime.TareEnter(17))); …
//
// on the same line, in a copy of the file that go's flag -overlay uses instead. The deferred call runs when F
// returns, panics or ends by Goexit; recover and stack traces are not affected. The probes are files added to package
// runtime (package toolchain); tareruntime is an import name of it. There assembly is allowed, and a goroutine's
// state takes one load, from a field at the end of struct g. These files are the same for all builds of a toolchain,
// so the standard library is compiled once more and then comes from go's cache.
//
// Go applies no overlay to files in the module cache. Modules there are copied, and a copy of go.mod or go.work names
// the copies. Overlays and module files of GOFLAGS or the build's flags (-overlay, -modfile) are kept and extended.
// Orchestrion (DataDog) also keeps state in struct g, and instruments by -toolexec, with a process for each package.
//
// # What is written
//
// The program maps a file. Each goroutine writes into its own part, so nothing is sent or flushed, and killing the
// program loses nothing. A goroutine has a tree of calls after Ammons, Ball and Larus, Exploiting Hardware
// Performance Counters with Flow and Context Sensitive Profiling (PLDI 1997, §4.1): a recursive call leads back to
// the element of the function in progress, so the tree is never deeper than there are functions. Each element has the
// number of calls, the sum, minimum, maximum and sum of squares of their times, the number of probes inside, and a
// histogram with 8 buckets for each power of two. Memory of ended goroutines is reused. Calls without room, and those
// on a thread's own stack, are counted by function in shared counters, without times.
//
// # Overhead of a probe
//
// About 30 ns per call on an AMD EPYC: two readings of the cycle counter, of which the second waits until the body is
// done. It is 24 ns if that wait is useless because the body is very short (Loose in record.TraceFunc), 6 ns if one
// of 100 calls is timed, and 1 ns if calls are only counted. BenchmarkProbe measures it.
//
// The program measures the overhead when it starts, with empty functions that have probes, and Read subtracts it: the
// part inside a function's time, once per call; the whole for each call made meanwhile; and the time for new elements
// of the tree. If less than a fifth of a time remains, the record marks it as dominated by probes. Lost optimisations
// are not subtracted: an instrumented function is not inlined, and Inlinable returns those that would have been. A
// function with more than seven defer statements, or with one in a loop, pays more for the probe's defer than is
// subtracted.
//
// # What cannot be instrumented
//
// These cannot be instrumented: functions that the compiler replaces by instructions on this processor (math.Floor),
// according to its own table; functions without a body, in files that use cgo, with //go:nosplit, //go:systemstack,
// //go:norace or without write barriers; functions that others link to by name or call from assembly; packages that
// runtime imports, sync/atomic, syscall, runtime/…; the frozen module of GOFIPS140. Build.Skipped lists those that
// match, with the reason. Calls of function literals count for the enclosing function unless Config.Literals is set.
//
// # Effects on the program
//
// Frames of instrumented functions are about 80 bytes larger. The limit of stacks, also if set by debug.SetMaxStack,
// is multiplied by 4, up to 4 GB; the program sees the original limit. An endless recursion takes that much more
// memory before it ends, and one of functions with very small frames may end earlier. debug.ReadBuildInfo shows
// instrumented modules of the module cache as replaced by their copies, without checksum. Stack traces show the
// copies' paths for files of such a module without probes, except with -trimpath.
//
// Not counted are other processes that the program starts, and calls from a plugin or a C library on a thread of its
// own before it has a goroutine.
package instrument
