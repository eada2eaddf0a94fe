package hook

// tareCount is what the kernel knows of a counter of events: how many it has seen, for
// how long it was asked to count, ns, and for how long it did. Where there are more
// counters than the processor has, they take turns.
type tareCount struct{ value, enabled, running uint64 }

// add adds the same counter of another thread.
func (c *tareCount) add(d tareCount) {
	c.value += d.value
	c.enabled += d.enabled
	c.running += d.running
}

// since is what was counted since an earlier reading, scaled up if the counter had to
// take turns with others; share is the part of the time in which it counted, 0 if it
// never did: then there is no figure, and not a figure of 0.
func (c tareCount) since(from tareCount) (n, share float64) {
	if c.running <= from.running || c.enabled <= from.enabled {
		return 0, 0
	}
	share = min(1, float64(c.running-from.running)/float64(c.enabled-from.enabled))
	return float64(c.value-from.value) / share, share
}
