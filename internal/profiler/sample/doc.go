// Package sample looks at a program every now and then: where its goroutines are, by the
// clock or by CPU time, and what those that wait are waiting for.
//
// A program that tare builds is looked at from within:
//
//	in, err := sample.NewInside(toolchain) // ErrUnfit: its runtime is not one that we know
//	overlay, err := in.Overlay(cacheDir, nil) // go build -overlay=…
//	run, err := sample.Command(ctx, launcher, launch.Spec{Path: "./server"}, sample.Config{})
//	lines, err := run.Lines()              // for a record: how, and the stacks
//
// One that runs elsewhere, and serves net/http/pprof, by its address:
//
//	res, err := sample.URL(ctx, "http://127.0.0.1:6060/debug/pprof/", sample.Config{Length: 10 * time.Second})
//
// And [Profiler] is "sample" of tare bench: the measured iterations of a benchmark.
// Package report/profile shows what came of it.
//
// # From within
//
// Some files are added to package runtime, and calls to them to its signal handler and its CPU profiler, for one
// build. They do nothing unless TARE_SAMPLE is set, which they take out of the environment. Else a thread of its own, which never needs a P, wakes up when a look is
// due, ahead of others if the kernel lets it. The program goes on: a goroutine that does not run is held for some hundred
// nanoseconds while its frame pointers are followed, as the garbage collector holds it; one that runs is
// interrupted by the signal that otherwise preempts it, and its thread tells where it is, as to the CPU profiler. What is not
// as it was in the look before is written to a mapped file, all of which is there before the program starts (package
// scratch). That outlives os.Exit, a signal that kills, and a program that closes its descriptors. The thread
// counts as one of the runtime's own, so that a deadlock of the program is still found and told by the runtime.
//
// From look to look it is as likely to be any time from a 16th to 31 16ths of the interval: so looks keep step with no program
// that does the same every so often, and a share is off by as much as so many independent draws are (at worst, for a period
// of 1.6 intervals, by a seventh more). Each look gets half of the time to the one before and to the one after;
// [record.Sampled.Draws] is how many looks of the same weight would tell as much.
//
// By CPU time it reads what Go's own profiler finds, ten times a second, to the same file.
// That interrupts threads at the kernel's ticks and no more often: [record.Sampled] has
// the rate that came of it, which times go by, and a doubt says so ([CodeCoarse]). There is
// one such profiler: the program's own profiles are empty meanwhile, with a rate and without samples. That it asked for one
// is among what was not seen.
//
// # Of a benchmark
//
// What counts are looks in the measured iterations while the timer ran, as notes of a half in
// package testing say (package prof/stops): the time of each iteration between two looks that
// count is what they have found.
//
// # What it costs
//
// Looks by the clock are timed: by the CPU time of their thread, with waking up and falling asleep, and that of the threads
// that were asked where they are. 50 times as much as the last ones took, in the median, passes until the next. (The second
// comes after the interval: what only one look took may be an accident.) So they keep within 2 % of a processor; where
// there are many goroutines they are taken less often, which a doubt says ([CodeSlowed]). BenchmarkLooks measures what a program loses in fact.
//
// # What it cannot see
//
// A call is seen with a probability of about its length by the interval, if it is well below it, and surely when it is 31
// 16ths of it. What is not there needs not have not been. Running is what is on a thread with a P: that the
// kernel has preempted that thread is not known.
//
// Where the kernel does not let the sampler's thread go first (it needs CAP_SYS_NICE for that, as root has it) and other
// threads have the processors, looks come late: when those pause. A doubt says how often ([CodeLate]).
//
// Where a goroutine runs that has gone on before its thread was interrupted, it is told where it came to; what
// the last look has asked may be unknown. Stacks begin where the program called the runtime to wait; how the runtime did it is
// left out. Goroutines of the runtime itself are left out by the clock, and not by CPU time; and of a benchmark
// those with which package testing waits for it. Of a stack of more than 512 calls, of 64 by Go's CPU profiler, the inner
// ones are kept, below (cut), which a doubt says ([CodeCut]).
package sample
