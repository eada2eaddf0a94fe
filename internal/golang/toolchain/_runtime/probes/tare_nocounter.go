//go:build !amd64 && !arm64

package runtime

const tareCounts = false // TareEnter and tareExit read nanotime

// TareBegin reads the clock behind TareEnter where there is a counter.
func TareBegin(c *tareCall, begin, probes uint64, step *tareStep) (*tareCall, uint64, uint64, *tareStep) {
	return c, begin, probes, step
}

// TareExit is deferred where a function begins, with the results of TareBegin.
func TareExit(c *tareCall, begin, probes uint64, step *tareStep) {
	tareExit(c, begin, probes, step, 0)
}

func tareTicks() uint64 { return uint64(nanotime()) }
