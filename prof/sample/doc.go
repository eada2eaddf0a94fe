// Package sample looks at a program every now and then: where its goroutines are, by the
// clock or by CPU time, and what those that wait are waiting for.
//
// A program that tare builds is looked at from within:
//
//	in, err := sample.NewInside(toolchain) // ErrUnfit: its runtime is not one that we know
//	overlay, err := in.Overlay(cacheDir)   // go build -overlay=…
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
// One file is added to package runtime, for one build. It starts a goroutine of the
// system, which does nothing unless TARE_SAMPLE is set. Else it wakes up when a look is
// due, notes who is on a P, stops the world, and follows the frame pointers of every goroutine:
// some hundred nanoseconds each. What is not as it was in the look before is written to a mapped file.
// That outlives os.Exit, a signal that kills, and a program that closes its descriptors.
// While it sleeps the thread counts as one of the runtime's own, so that a deadlock of
// the program is still found and told by the runtime.
//
// By CPU time it reads what Go's own profiler finds, ten times a second, to the same file.
// That interrupts threads at the kernel's ticks and no more often: [record.Sampled] has
// the rate that came of it. A program cannot use that profiler itself meanwhile.
//
// # What it costs
//
// The program stands still while it is looked at. Looks by the clock are timed: 50 times
// as long as the last ones held it up, in the median, passes until the next. So they keep within 2 % of
// the time; where there are many goroutines they are taken less often, which a doubt
// says ([CodeSlowed]). Where other programs need the processors a look may last until the
// kernel lets each of its threads run, and stop: of that no more than 100 µs of a look count,
// since a thread that waits for a processor is not held up by us. BenchmarkLooks measures what
// a program loses in fact.
//
// # What it cannot see
//
// A goroutine that runs is found, by the clock, where Go could stop it: behind a function
// in assembly, not in it. By CPU time it is found where it is.
//
// A call is seen with a probability of its length by the interval. What is not there
// needs not have not been. Runnable is what was not on a P when a look was due; that a thread
// on a P was preempted by the kernel is not known. The sampler's own look waits for a P, too, where
// all are busy: looks come late there, rather than wrong.
//
// Stacks begin where the program called the runtime to wait; how the runtime did it is left
// out. Goroutines of the runtime itself are left out by the clock, and not by CPU time. Of a stack
// of more than 128 calls the inner ones are kept.
package sample
