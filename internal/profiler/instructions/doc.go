// Package instructions is the profiler "instructions" of tare bench: how many
// instructions an operation takes, counted by valgrind. It is made for machines that have
// no counters of their own, such as those of most CI services: see profiler/counter for
// those that have.
//
//	tare bench --prof instructions
//
//	valgrind-instructions/op
//
// The test binary, as it is, runs under valgrind twice and more for each fork, for lo and
// hi operations, hi some ten times lo. The figure is the slope
//
//	(I(hi) − I(lo)) / (hi − lo)
//
// in which the start of the process, and set-up that does not depend on N, cancel out.
// Its forks are its own; each is one draw, and the interval is over them.
//
// # What is counted
//
// Instructions in user mode, of all threads: those of the benchmark's function, and of
// whatever the runtime does for it, such as its share in collections. The kernel's are
// not counted, and neither are those of other processes. What is done for each N, even
// while the timer stands still, is in the slope; the timer makes no difference here.
//
// Valgrind emulates a processor and runs one thread at a time. So
//
//   - GOMAXPROCS is 1, whatever the benchmark's is: with more, the scheduler's idle
//     threads spin while they wait for their turn, for some ten million instructions of
//     each process, and with 1 what a process takes varies by some ten thousand;
//   - code that asks the processor what it can do may choose other instructions than it
//     would on this machine: valgrind knows AVX2, and not AVX-512;
//   - a program that takes many times as long sees as many more ticks of the clock, and
//     is interrupted by them.
//
// The count is of the tool cachegrind without its model of caches: as light as counting
// with valgrind gets. Go can mark its heap and stacks for valgrind, with the build tag
// valgrind; that is for finding wrong accesses, adds instructions of its own to each
// allocation, and is not used.
//
// RunParallel deals out single operations where N is fixed, so that a few instructions
// for each operation are those of the dealing; a doubt says so. A benchmark that has one cold operation
// for each process, or does not do N operations when it is asked to, has no slope: its
// figure is not available, because of that.
package instructions
