// Package instrument puts probes at the beginning and the end of functions, for one build and
// without changing the sources, and reads what they have counted: how often each function was
// called, for how long, from where, and in which order.
//
//	b, err := instrument.Plan(ctx, instrument.Config{Match: []string{"./..."}, Work: dir})
//	// go build -o program, with b.Flags, and b.Env in the environment
//	err = b.Check("program") // that it has its probes
//	arena, err := b.NewArena(instrument.ArenaConfig{Path: 10000})
//	defer arena.Close()
//	// run program, with arena.Env() in the environment; however it ends:
//	trace, err := instrument.Read(arena.Path, b) // a record.Trace
//
// # Patterns
//
// Functions are named as in Go: pkg.Func, pkg.(*T).Method or pkg.T.Method, where pkg is an import
// path, its last elements, or the name of a package. A * stands for any text: pkg.* is all functions
// and methods of a package. A name alone, or T.Method, is one of the packages that are built.
// Patterns of packages (./..., ./cmd) mean all their functions. A pattern /regexp/ is matched
// against the full names of all packages except those of the standard library, which are
// instrumented only where they are named. Instances of a generic function are one: pkg.Func[...].
//
// # How it works
//
// A function's text becomes
//
//	func F() { defer tareruntime.TareExit(tareruntime.TareBegin(tareruntime.TareEnter(17))); …
//
// on the same line, in a copy that go's flag -overlay puts in the place of the file. The deferred
// call runs when F returns, panics or ends by Goexit; recover and stack traces do not notice it. The
// probes are in package runtime itself, as files that are added to it (package toolchain):
// tareruntime is a second name for it in that file. Assembly is allowed there, and a goroutine's
// own state is one load away, in a field that is added to the end of struct g. These files are the
// same for all builds of a toolchain, so that the standard library is compiled once more and
// then comes from go's cache.
//
// Go lets nobody replace files in the module cache. Of modules there a copy is made, and a copy of
// go.mod or go.work that names the copies. Overlays and module files that GOFLAGS or the build's own
// flags name (-overlay, -modfile) are kept and extended. Orchestrion (DataDog) also keeps state in
// struct g, and instruments by -toolexec, with a process for each package.
//
// # What is written
//
// The program maps a file and writes there, each goroutine into memory of its own: nothing has to
// be sent or flushed, and killing the program loses nothing. A goroutine has a tree of calls after
// Ammons, Ball and Larus, Exploiting Hardware Performance Counters with Flow and Context Sensitive
// Profiling (PLDI 1997, §4.1): a recursive call leads back to the element of the function that is
// in progress, so that the tree is never deeper than there are functions. Each element has the
// number of calls, the sum, minimum, maximum and sum of squares of their times, the number of
// probes inside, and a histogram with 8 buckets for each power of two. Goroutines that end leave
// their memory to later ones. Calls that find no room, and those on a thread's own stack, are
// counted by function in shared counters, and have no time.
//
// # What a probe costs
//
// About 30 ns a call on an AMD EPYC: two readings of the cycle counter, of which the one at the end
// waits for the body to be done. It is 24 ns where that wait is useless, as the body is hardly
// longer than nothing (Loose in record.TraceFunc), 6 ns where one of 100 calls is timed, and 1 ns
// where calls are only counted. BenchmarkProbe measures it elsewhere.
//
// The program measures the cost where it starts, with empty functions that have probes, and Read
// subtracts it: the part inside of a function's time, once for each call; the whole of it for each
// call that was made meanwhile; and the time to make records of calls that a goroutine made there
// for the first time. If less than a fifth of a time remains, it says more about probes than about
// the function, and the record says so. Not subtracted is what an optimisation would have saved: an
// instrumented function is not inlined any more, and Inlinable returns which ones would have been;
// one with more than seven defer statements of its own, or with one in a loop, pays more for that
// of the probe than what is subtracted.
//
// # What cannot be instrumented
//
// Functions in whose place the compiler puts instructions on this processor (math.Floor), by its
// own table; functions without a body, in files that use cgo, with //go:nosplit, //go:systemstack,
// //go:norace or without write barriers; functions that others link to by name or call from
// assembly; packages that runtime is built from, sync/atomic, syscall, runtime/…; the frozen
// module of GOFIPS140. Build.Skipped names those that match, with the reason. Calls of function
// literals count for the function around them, unless Config.Literals is set.
//
// # What a program may notice
//
// Frames of instrumented functions are larger by some 80 bytes. The limit of stacks, and one that
// the program sets by debug.SetMaxStack, is 4 times what it would be, up to 4 GB; the program sees
// the limit that it would have without probes. An endless recursion takes that much more memory
// before it is ended, and one of functions with hardly a frame of their own may end earlier.
// debug.ReadBuildInfo shows instrumented modules of the module cache as replaced by the directory
// of their copy, and without their sum. Stack traces name files of such a module that have no
// probes there, except with -trimpath.
//
// Other processes that the program starts are not counted, nor what a plugin or a C library calls
// on a thread of its own before it has a goroutine.
package instrument
