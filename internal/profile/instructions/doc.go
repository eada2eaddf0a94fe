// Package instructions is the profiler "instructions" of tare bench: instructions per operation, counted by valgrind.
// It is for machines without hardware counters, such as those of most CI services; see profiler/counter for others.
//
//	tare bench --prof instructions
//
//	valgrind-instructions/op
//
// Beside that figure a fork attaches the instructions of each function and line, which add up to it: a
// [record.Instructions].
//
// Each fork runs the unchanged test binary under valgrind at least twice, for lo and hi operations, hi about ten times
// lo. The figure is the slope
//
//	(I(hi) − I(lo)) / (hi − lo)
//
// in which the start of the process, and set-up that does not depend on N, cancel out. It runs in forks of its own;
// each is one sample of the interval.
//
// # What is counted
//
// Instructions in user mode of all threads: those of the benchmark's function, and of the runtime on its behalf, such
// as its share of garbage collection. Instructions of the kernel and of other processes are not counted. Work for
// each N is in the slope even if the timer is stopped.
//
// Valgrind emulates a processor and runs one thread at a time. So
//
//   - GOMAXPROCS is 1, whatever the benchmark's is. Otherwise the scheduler's idle threads spin while they wait for
//     their turn, for about ten million instructions of each process; with 1 the count varies by about ten thousand.
//   - Code that queries the processor's features may choose other instructions than on this machine: valgrind
//     supports AVX2 but not AVX-512. A warning names such functions. Code that does not query fails.
//   - A program that takes many times as long gets as many more timer interrupts.
//
// The tool is cachegrind without its cache model, the fastest way to count with valgrind. Go can mark its heap and
// stacks for valgrind with the build tag valgrind. That is for finding invalid accesses and adds instructions to each allocation, so it is not used.
//
// With a fixed N, RunParallel distributes single operations, so some instructions of each operation belong to the
// distribution; a warning says so. A benchmark with one cold operation per process, or one that does not run the
// requested N operations, has no slope: its figure is not available.
//
// # By line
//
// The slope is also taken of each row of cachegrind's file: a line of source in a function of the machine code. Inlined
// code has the line of the callee and the function of the caller. Code outside the runtime mostly repeats within 0.1 % from
// process to process; the runtime does not, because it depends on the time that passes.
package instructions
