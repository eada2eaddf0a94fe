// Package aatest has the order and the statistics of A/A tests: the same binary is
// measured against itself, and whatever is called different is a false positive. It
// starts no process and reads no record.
//
// To measure, run the steps of a [Sequence]. To know what the values mean, add each
// process to [Data]; package result does that for the processes of a record:
//
//	stop, err := (&aatest.Sequence{Seed: seed, Benchmarks: 3, N: 10, Budget: budget, Run: run}).Measure(ctx, quit)
//	r := data.Result()
//	r.WriteText(os.Stdout, aatest.TextOptions{UTF8: true})
//
// # What is measured
//
// A window is what one comparison would have examined: N values a side. A
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
