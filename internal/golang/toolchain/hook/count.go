package hook

// tareCount is a reading of an event counter: the count, how long it was enabled, and how long it ran, in ns. If more
// counters are enabled than the processor has, they take turns.
type tareCount struct{ value, enabled, running uint64 }

// add adds the same counter of another thread.
func (c *tareCount) add(d tareCount) {
	c.value += d.value
	c.enabled += d.enabled
	c.running += d.running
}

// since returns the count since an earlier reading, scaled up if the counter took turns with others. share is the
// part of the time in which it ran; if it is 0, the count is unknown.
func (c tareCount) since(from tareCount) (n, share float64) {
	if c.running <= from.running || c.enabled <= from.enabled {
		return 0, 0
	}
	share = min(1, float64(c.running-from.running)/float64(c.enabled-from.enabled))
	return float64(c.value-from.value) / share, share
}
