// Package selftest asks what a machine is good for: the same binary is measured
// against itself, and whatever is called different is a false alarm. It says in
// which order to measure, and what the records of it mean. It starts no process.
//
// To measure, run the steps of a [Sequence] and write what they give as
// records; to know what a record says, read it:
//
//	stop, err := (&selftest.Sequence{Seed: seed, Benchmarks: 3, N: 10, Budget: budget, Run: run}).Measure(ctx, quit)
//	r, err := selftest.Read(file, "selftest.jsonl")
//	r.WriteText(os.Stdout, selftest.TextOptions{UTF8: true})
//
// # What is measured
//
// A window is what one comparison would have looked at: N values a side. A
// window of "this way" is N rounds of one fork of each side, in random order. A
// window of "the usual way" is one process with -test.count=N and then another,
// before and after. The measured time of a side is the same in both. A block is
// one window of each way of one benchmark, one right after the other in random
// order, so that both ways see the same weather; the benchmarks take turns.
//
// # How it is recorded
//
// A self-test is the record of a run whose order is [Order]. Config.Forks is
// the N of a window. Each benchmark has two cases, of the sides [SideA] and
// [SideB], with the same binary. The purpose of a fork is [PurposeFork] or
// [PurposeUsual], so that it enters no score. The round of a usual process is
// the number of its block from 1; that of a fork in pair i of block k, both
// from 1, is (k-1)·N+i.
package aatest
