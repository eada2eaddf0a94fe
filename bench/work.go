package bench

// Work burns CPU time in proportion to tokens: a stand-in for what a program does
// between two operations of the thing that is measured, or for what a cache
// must do to make an entry that it has not.
//
//	for w.Next() {
//		q.Offer(1)
//		bench.Work(100)
//	}
//
// A token is one step of a chain in which each step needs the one before, so that
// neither a wide processor nor the alignment of the loop makes it faster. It reads
// and writes no memory and shares nothing. The same tokens are always the same
// steps. A number below zero counts as zero.
//
// On a virtual machine (AMD EPYC, family 26; Go 1.26.8) a token takes 1.4 ns:
// 1000 of them 1388 ns, 100 of them 122, 10 of them 5.4, and none 1.2, the call.
// The short ones are cheaper than their share because the processor begins with
// what follows, here the next Work, while it waits for the chain: it saves up to
// some 15 ns a call, and does so around any code. Another processor needs its
// own figures:
//
//	go test -run '^$' -bench Work github.com/tarebench/tare/bench
//
// The idea and the word token are those of consumeCPU in JMH's Blackhole
// (openjdk/jmh, Blackhole.java), which steps a linear congruential generator. A
// chain of those has a closed form; with the shift in between it has none that a
// compiler could find.
//
//go:noinline
func Work(tokens int) {
	Sink(workChain(0, tokens))
}

// workChain does so many steps from x on. The multiplier is that of Knuth's
// MMIX; the 1 leads away from 0.
func workChain(x uint64, tokens int) uint64 {
	for range tokens {
		x = (x^x>>32)*6364136223846793005 + 1
	}
	return x
}
