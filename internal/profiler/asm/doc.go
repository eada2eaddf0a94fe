// Package asm is the profiler "asm" of tare bench and the measuring half of tare asm:
// in which instructions a program spends its time. Where that is shown is package
// render/listing; between the two is [record.Asm], which holds the samples by address
// with machine code, lines, inlining and sources.
//
//	tare bench --prof asm
//
// # Recipe
//
// Samples are those of benchmarks, of any command, or of another tool:
//
//	p := asm.Profiler(cfg)                                   // for forks, see internal/profiler
//	run, err := asm.Command(ctx, launcher, spec, cfg)        // a command that it starts
//	a, doubts, err := asm.FromPprof("cpu.pprof", "./server", cfg)
//	a, doubts, err := asm.FromScript(file, "./server", cfg)  // the text of perf script
//
// # Which samples count
//
// Those inside of the measured iterations while the timer ran: by the marks of hooks in
// package testing and notes of a half in the process (package timerlog), or roughly
// by when results came. The others are counted as outside: testing stops the world twice
// for each stop of the timer, which may take more time than what is measured. Of a command
// those between Config.Delay and Length. Of files all.
//
// There is room for four million stops of a fork, 64 MiB of temporary file; those behind
// are not noted: the rest of the time does not count, and a doubt says so. Where nothing
// could be noted all of the iterations counts, and a doubt says that. CPU time by samples
// is that of all threads, a little more than ns/op by the timer: 8 % more where the timer
// is stopped every 7 µs, on a machine that was busy.
//
// # Where samples are from
//
// From perf events, see internal/perfevent for which. Where the kernel refuses them, a
// benchmark is run with Go's own CPU profiler, in a fork of more operations, because
// that takes 100 samples per second; its samples are those of the whole process. A
// command is refused then, with what could be done.
//
// # What is kept
//
// Every sample is in one function, library or part of the kernel, and at one address.
// Machine code, lines, inlining and sources are kept of functions with [Config.Keep] of
// the samples of any event. Symbols of the kernel with less are one element, and so are
// addresses of a file without functions. A source text is kept only if the file was not
// written to since the program was built (for forks: since they began), and if of the
// standard library, only from a toolchain of the same version. In the symbols are
// functions that code calls or jumps to, and on x86 variables and constants that have a
// name of their own.
//
// # What it costs
//
// Sampling interrupts the program; for how long is measured before the first fork, on
// a thread of this process (internal/perfevent.Cost). The share of CPU time that is
// recorded is the number of samples, times that, divided by the program's CPU time. It
// is a lower bound, since code that is interrupted finds colder caches than that loop:
// in a virtual machine where it said 1.3 % at 997 samples per second and 5.3 % at 3989,
// a program took 2.9 % and 7.3 % more CPU time (medians of 40 runs each, interleaved).
package asm
