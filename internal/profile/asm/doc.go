// Package asm is the profiler "asm" of tare bench and measures for tare asm: it samples in which instructions a
// program spends its time. Its result is [record.Asm], which has the samples by address with machine code, lines,
// inlining and sources. Package render/listing shows it.
//
//	tare bench --prof asm
//
// # Recipe
//
// Samples come from benchmarks, from any command, or from another tool:
//
//	p := asm.Profiler(cfg)                                   // for forks; see internal/process/profiler
//	run, err := asm.Command(ctx, launcher, spec, cfg)        // starts a command
//	a, warnings, err := asm.FromPprof("cpu.pprof", "./server", cfg)
//	a, warnings, err := asm.FromScript(file, "./server", cfg)  // the text of perf script
//
// # Which samples count
//
// For benchmarks, samples in the measured iterations while the timer runs count. The times come from the marks of
// hooks in package testing and the timer log (package timerlog), or approximately from the arrival of results. Other
// samples are counted as outside: testing stops the world twice for each stop of the timer, which may take longer
// than the measured code. For commands, samples between Config.Delay and Length count; for files, all.
//
// The log holds four million stops of a fork, 64 MiB of a temporary file. The time after a full log does not count,
// and without a log whole iterations count; warnings say so. CPU time by samples includes all threads and is a little
// more than ns/op by the timer: 8 % more if the timer is stopped every 7 µs, on a busy machine.
//
// # Sources of samples
//
// Samples come from perf events; see internal/process/perfevent for which. If the kernel does not permit them, benchmarks run
// with Go's own CPU profiler, in forks of more operations because it takes 100 samples per second; these samples
// include the whole process. Commands then fail with advice.
//
// # What is kept
//
// Each sample belongs to one function, library or part of the kernel, and to one address. Functions with at least
// [Config.Keep] of the samples of any event are kept with machine code, lines, inlining and sources. Kernel symbols
// with fewer are merged, and so are addresses of a file outside of functions. A source text is kept only if the file
// was not modified since the program was built (for forks: since they began). Texts of the standard library come only
// from a toolchain of the same version. The symbols are the functions that the code calls or jumps to, and on x86
// named variables and constants.
//
// # Overhead
//
// Sampling interrupts the program. The duration of an interruption is measured before the first fork on a thread of
// this process (internal/process/perfevent.Cost). The recorded overhead is the number of samples multiplied by it, divided by
// the program's CPU time. It is a lower bound, because an interrupted program finds colder caches than the measuring
// loop: in a virtual machine where it was 1.3 % at 997 samples per second and 5.3 % at 3989, a program took 2.9 % and
// 7.3 % more CPU time (medians of 40 runs each, interleaved).
package asm
