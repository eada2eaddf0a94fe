package bench

// Work consumes CPU time in proportion to tokens. It simulates the work of a program between two measured
// operations, or that of computing a missing cache entry.
//
//	for w.Next() {
//		q.Offer(1)
//		bench.Work(100)
//	}
//
// A token is one step of a dependency chain, so that neither a wide processor nor the alignment of the loop
// makes it faster. It accesses no memory. The number of steps depends only on tokens; a negative number counts
// as zero.
//
// On a virtual machine (AMD EPYC, family 26; Go 1.26.8) a token takes 1.4 ns: 1000 of them 1388 ns, 100 of
// them 122, 10 of them 5.4, and none 1.2, the call. Few tokens take less than their share, because the
// processor begins the following code while it waits for the chain, which saves up to 15 ns per call. Measure
// your own processor:
//
//	go test -run '^$' -bench Work github.com/tarebench/tare/bench
//
// It follows consumeCPU of JMH's Blackhole (openjdk/jmh, Blackhole.java), which steps a linear congruential
// generator. Such a chain has a closed form that a compiler could find; the shift in between prevents that.
//
//go:noinline
func Work(tokens int) {
	Sink(workChain(0, tokens))
}

// workChain does tokens steps from x. The multiplier is that of Knuth's MMIX; adding 1 leaves 0.
func workChain(x uint64, tokens int) uint64 {
	for range tokens {
		x = (x^x>>32)*6364136223846793005 + 1
	}
	return x
}
