// Package sample samples a running program: where its goroutines are, by wall time or CPU time, and what waiting
// goroutines wait for.
//
// A program that tare builds samples itself:
//
//	tools, err := toolchain.Find(ctx, toolchain.Command{})
//	overlay, err := tools.RuntimeOverlay(toolchain.Sampler) // go build -overlay=…
//	run, err := sample.Command(ctx, launcher, spawn.Spec{Path: "./server"}, sample.Config{})
//	lines, err := run.Lines() // for a record: the settings and the stacks
//
// A running program that serves net/http/pprof is sampled by its address:
//
//	res, err := sample.URL(ctx, "http://127.0.0.1:6060/debug/pprof/", sample.Config{Duration: 10 * time.Second})
//
// [Profiler] is "sample" of tare bench: it samples the measured iterations of a benchmark.
// Package internal/show/subjects/profile shows the results.
//
// # Inside the program
//
// [toolchain.Sampler] adds files to package runtime, and calls of them to its signal handler and CPU profiler, for
// one build. They do nothing unless TARE_SAMPLE is set, which they remove from the environment. If it is set, a
// separate thread without a P wakes up when a sample is due, before other threads if the kernel permits it. The
// program continues to run. A goroutine that does not run is held for some hundred nanoseconds while its frame
// pointers are followed, as the garbage collector holds it. A running goroutine is interrupted by the preemption
// signal, and its thread reports its stack, as to the CPU profiler. Changes since the sample before are written to a
// mapped file, whose space is reserved before the program starts. The file survives os.Exit, a fatal signal, and a
// program that closes its descriptors. The thread counts as one of the runtime's own, so the runtime still detects a
// deadlock of the program.
//
// The time between samples is uniformly random, from 1/16 to 31/16 of the interval. So samples are not in step with a
// periodic program, and the error of a share is that of as many independent samples (at worst, for a period of 1.6
// intervals, a seventh more). Each sample has the weight of half the time to the one before and half the time to the
// one after. [record.Sampled.EffectiveSamples] is the number of equally weighted samples with the same error.
//
// By CPU time the sampler reads the results of Go's own CPU profiler ten times a second and writes them to the same
// file. That profiler interrupts threads at most at the kernel's ticks. [record.Sampled] has the achieved rate, from
// which times are computed, and a warning reports a lower rate ([CodeCoarse]). A process has one such profiler, so
// the program's own CPU profiles are empty meanwhile. If it requested one, the record's limitations say so.
//
// # Benchmarks
//
// Samples count if they fall into a measured iteration while the timer ran, according to the timer log (package
// timerlog). The time of an iteration between two samples that count is attributed to their stacks.
//
// # Overhead
//
// Samples by wall time are timed: the CPU time of their thread, including waking up and going to sleep, and of the
// threads that reported stacks. The next sample is due no sooner than 50 times the median cost of the last ones. (The
// second one comes after the interval, because the cost of a single sample may be an outlier.) So sampling takes at
// most 2 % of a processor. With many goroutines there are fewer samples, and a warning says so ([CodeSlowed]).
// BenchmarkLooks measures how much a program is slowed down.
//
// # Limitations
//
// A call much shorter than the interval is sampled with a probability of about its duration divided by the interval,
// and one of 31/16 of the interval always. A function that is absent from the samples may still have run. A goroutine
// counts as running if it is on a thread with a P; whether the kernel has preempted that thread is unknown.
//
// The sampler's thread has priority only if the kernel permits it (CAP_SYS_NICE, which root has). Otherwise samples
// are late while other threads have the processors. A warning says how often ([CodeLate]).
//
// A goroutine that went on before its thread was interrupted is found further on; what the last sample requested may
// be unknown. Stacks begin where the program called the runtime to wait; the runtime's functions below are removed.
// Goroutines of the runtime itself are excluded by wall time, but not by CPU time; for benchmarks also those with
// which package testing waits. Of a stack of more than 512 calls, or 64 by Go's CPU profiler, the inner ones are kept
// below (cut), and a warning says so ([CodeCut]).
package sample
