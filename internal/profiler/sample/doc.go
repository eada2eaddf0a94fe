// Package sample samples a running program: where its goroutines are, by the clock or by CPU
// time, and what those that wait are waiting for.
//
// A program that tare builds samples itself:
//
//	tools, err := toolchain.Find(ctx, toolchain.Command{})
//	overlay, err := tools.RuntimeOverlay(toolchain.Sampler) // go build -overlay=…
//	run, err := sample.Command(ctx, launcher, spawn.Spec{Path: "./server"}, sample.Config{})
//	lines, err := run.Lines() // for a record: the settings and the stacks
//
// A program that runs already, and serves net/http/pprof, is sampled by its address:
//
//	res, err := sample.URL(ctx, "http://127.0.0.1:6060/debug/pprof/", sample.Config{Length: 10 * time.Second})
//
// [Profiler] is "sample" of tare bench: it samples the measured iterations of a benchmark.
// Package internal/render/profile shows the results.
//
// # Inside the program
//
// [toolchain.Sampler] adds files to package runtime, and calls to them to its signal handler and
// its CPU profiler, for one build. They do nothing unless TARE_SAMPLE is set, which they remove
// from the environment. If it is set, a thread of its own, which never needs a P, wakes up when a
// sample is due, before other threads if the kernel allows it. The program goes on running. A
// goroutine that does not run is held for some hundred nanoseconds while its frame pointers are
// followed, as the garbage collector holds it. A goroutine that runs is interrupted by the signal
// that also preempts it, and its thread reports its stack, as to the CPU profiler. What has changed
// since the sample before is written to a mapped file, all of which exists before the program
// starts. The file survives os.Exit, a signal that kills, and a program that closes its
// descriptors. The thread counts as one of the runtime's own, so that the runtime still finds and
// reports a deadlock of the program.
//
// The time from sample to sample is uniformly random, from 1/16 to 31/16 of the interval. So samples
// keep step with no program that repeats something periodically, and the error of a share is that of
// as many independent draws (at worst, for a period of 1.6 intervals, a seventh more). Each
// sample stands for half of the time to the one before and half of the time to the one after.
// [record.Sampled.Draws] is the number of equally weighted samples that would tell as much.
//
// By CPU time the sampler reads the results of Go's own CPU profiler, ten times a second, and
// writes them to the same file. That profiler interrupts threads at the kernel's ticks and not
// more often: [record.Sampled] has the achieved rate, which times are computed from, and a warning
// says so ([CodeCoarse]). A process has one such profiler: the program's own CPU profiles are empty
// meanwhile. If it asked for one, the limitations in the record say so.
//
// # Of a benchmark
//
// Samples count if they fall into a measured iteration while the timer ran, which a half in package
// testing logs (package timerlog). The time of an iteration between two samples that count is
// attributed to what they have found.
//
// # What it costs
//
// Samples by the clock are timed: by the CPU time of their thread, with waking up and going to
// sleep, and that of the threads that reported their stacks. The next sample is due no sooner than
// 50 times the median cost of the last ones. (The second one comes after the interval: the cost of
// a single sample may be an accident.) So sampling takes at most 2 % of a processor. Where there
// are many goroutines samples are fewer, and a warning says so ([CodeSlowed]). BenchmarkLooks measures
// how much a program is slowed down.
//
// # Limitations
//
// A call that is much shorter than the interval is seen with a probability of about its length by
// the interval, and one of 31/16 of the interval is always seen. A function that is absent from the
// samples may still have run. A goroutine is running if it is on a thread with a P: whether the
// kernel has preempted that thread is unknown.
//
// The sampler's thread goes first only if the kernel allows it (with CAP_SYS_NICE, which root has).
// Otherwise, and where other threads have the processors, samples come late: when those pause. A
// warning says how often ([CodeLate]).
//
// A goroutine that went on before its thread was interrupted is found where it had got to; what the
// last sample asked for may be unknown. Stacks begin where the program called the runtime to wait:
// functions of the runtime that implement the waiting are left out. Goroutines of the runtime
// itself are left out by the clock, and not by CPU time; of a benchmark also those with which
// package testing waits for it. Of a stack of more than 512 calls, 64 by Go's CPU profiler, the
// inner ones are kept, below (cut), and a warning says so ([CodeCut]).
package sample
