//go:build amd64 || arm64

package runtime

const tareCounts = true // there is a counter

// TareBegin reads the clock behind TareEnter, whose results it takes.
func TareBegin(c *tareCall, begin, probes uint64, step *tareStep) (*tareCall, uint64, uint64, *tareStep)

// TareExit is deferred where a function begins, with the results of TareBegin.
func TareExit(c *tareCall, begin, probes uint64, step *tareStep)

func tareTicks() uint64
