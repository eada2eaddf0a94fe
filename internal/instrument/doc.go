// Package weave puts probes at the beginning and the end of functions, for one build
// and without touching the sources, and reads what they have counted: how often each
// function was called, for how long, from where, and in which order.
//
//	w, err := weave.Plan(ctx, weave.Config{Match: []string{"./..."}, Work: dir})
//	// go build -o program, with w.Flags, and w.Env in the environment
//	err = w.Check("program") // that it has its probes
//	arena, err := w.NewArena(weave.ArenaConfig{Path: 10000})
//	defer arena.Close()
//	// run program, with arena.Env() in the environment; however it ends:
//	trace, err := weave.Read(arena.Path, w) // a record.Trace
//
// # Patterns
//
// Functions are named as in Go: pkg.Func, pkg.(*T).Method or pkg.T.Method, where pkg
// is an import path, its last elements, or the name of a package. A * stands for
// anything: pkg.* is all functions and methods of a package. A name alone, or
// T.Method, is of the packages that are built. Patterns of packages (./..., ./cmd)
// mean all their functions, and /regexp/ is sought in full names of all packages
// but those of the standard library, which are woven only where they are named.
// Instances of a generic function are one: pkg.Func[...].
//
// # How it is done
//
// A function's text becomes
//
//	func F() { defer tareweave.TareExit(tareweave.TareBegin(tareweave.TareEnter(17))); …
//
// on the same line, in a copy that go's flag -overlay puts in the place of the file.
// What is deferred runs when F returns, panics or ends by Goexit, and neither recover
// nor stack traces notice. The probes are in package runtime itself, as files that
// are added to it: tareweave is another name for it in that file, assembly is
// allowed there, and a goroutine's own state is one load away, in a field that is
// added to the end of struct g. These files are the same for all builds of a
// toolchain, so that the standard library is compiled once more and then comes from
// go's cache.
//
// Of modules in the module cache, which go does not let anybody replace, a copy is
// made, and a copy of go.mod or go.work that says so. What GOFLAGS or flags say already, by
// -overlay and -modfile, is what all of this begins with. orchestrion (DataDog) keeps
// state in struct g too, and weaves by -toolexec, with a process for each package.
//
// # What is written
//
// The program maps a file and writes there, each goroutine into memory of its own:
// nothing has to be sent or flushed, and whoever kills the program loses nothing. A
// goroutine has a tree of calls after Ammons, Ball and Larus, Exploiting Hardware
// Performance Counters with Flow and Context Sensitive Profiling (PLDI 1997, §4.1): a
// function that is called while it is already on the way to there leads back, so
// that the tree is never deeper than there are functions. With each element are
// the number of calls, sum, least, most, sum of squares, probes inside, and a histogram
// with 8 buckets for each power of two. Goroutines that end leave their memory to the
// next. Calls that find no room, and those on a thread's own stack, are counted by
// function in counters that all share, and have no time.
//
// # What a probe costs
//
// About 30 ns a call on an AMD EPYC: two readings of the cycle counter, of which the
// one at the end waits for the body to be done; 24 ns where that would be in vain, as
// the body is hardly longer than nothing (Loose in record.TraceFunc); 6 ns where one
// of 100 calls is timed, 1 ns where calls are only counted. BenchmarkProbe says how much
// it is elsewhere.
//
// The program measures it where it starts, with functions that have probes and nothing
// in them, and Read subtracts it: what is inside of a function's time, once for each
// call, and all of it for each call that was made meanwhile, and what it took to make
// records of calls that a goroutine made there for the first time. Where less than a fifth
// is left, the figure says more about probes than about the function, and the record
// says so. Not subtracted is what an optimisation would have saved: a woven function
// is not inlined any more, and Inlinable says which ones would have been; one with
// more than seven defer statements of its own, or with one in a loop, pays more for
// that of the probe than what is subtracted.
//
// # What cannot be woven
//
// Functions in whose place the compiler puts instructions on this processor (math.Floor),
// of which it has a table; without a body here, in files that use cgo, with //go:nosplit,
// //go:systemstack, //go:norace or without write barriers; those that others link to
// by name or call from assembly; packages that runtime is built from, sync/atomic,
// syscall, runtime/…; the frozen module of GOFIPS140. Woven.Left names those that match,
// with the reason. Function literals count with who calls them, unless Config.Literals
// is set.
//
// # What a program may notice
//
// Frames of woven functions are larger by some 80 bytes. The limit of stacks, and one that
// the program sets by debug.SetMaxStack, is 4 times what it would be, up to 4 GB; it is
// told the limit that it would have without probes. A recursion that never ends takes that
// much more memory before it is ended, and one of functions with hardly a frame of their
// own may end earlier. debug.ReadBuildInfo shows modules of the module cache that have
// probes as replaced by a directory, which is that of their copy, and without their sum;
// files of such a module that have no probes are named there by stack traces, except
// with -trimpath.
//
// Programs of other processes, those that the program starts, are not counted, nor
// what a plugin or a C library calls on a thread of its own before it has a goroutine.
package instrument
