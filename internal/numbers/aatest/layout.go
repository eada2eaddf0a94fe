package aatest

// How a self-test is recorded.
const (
	Order        = "blocks"         // the order of its run
	PurposeFork  = "selftest-fork"  // a fork of this way
	PurposeUsual = "selftest-usual" // a process of the usual way
	SideA        = "A"              // of the usual way: before
	SideB        = "B"              // of the usual way: after
)

// MaxWindow is the largest N of a window.
const MaxWindow = 1000

// roundOf returns the round of the forks of pair i, from 0, of a block.
func roundOf(block, i, n int) int { return (block-1)*n + i + 1 }

// placeOf returns the inverse of roundOf.
func placeOf(round, n int) (block, i int) { return (round-1)/n + 1, (round - 1) % n }
