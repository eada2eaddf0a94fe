package hook

// tareCount is a reading of a counter of events: the count, how long it was enabled, in ns, and how long
// it ran. If more counters are enabled than the processor has, they take turns.
type tareCount struct{ value, enabled, running uint64 }

// add adds the same counter of another thread.
func (c *tareCount) add(d tareCount) {
	c.value += d.value
	c.enabled += d.enabled
	c.running += d.running
}

// since returns the count since an earlier reading, scaled up if the counter took turns with others.
// Share is the part of the time in which it ran; if that is 0 the count is unknown, and not 0.
func (c tareCount) since(from tareCount) (n, share float64) {
	if c.running <= from.running || c.enabled <= from.enabled {
		return 0, 0
	}
	share = min(1, float64(c.running-from.running)/float64(c.enabled-from.enabled))
	return float64(c.value-from.value) / share, share
}
