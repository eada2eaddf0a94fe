package record

// Shorten halves the execution path, or without one removes the elements of the tree
// that are furthest from its roots. It reports whether there was anything to remove.
// The functions stay. It does not change slices that t shares with other traces.
func (t *Trace) Shorten() bool {
	if n := len(t.Path); n > 0 {
		t.Path, t.PathMore = t.Path[:n/2], t.PathMore+int64(n-n/2)
		return true
	}
	depth := make([]int, len(t.Tree))
	deepest := 0
	for i, c := range t.Tree {
		if c.Parent >= 0 {
			depth[i] = depth[c.Parent] + 1
		}
		deepest = max(deepest, depth[i])
	}
	if len(t.Tree) == 0 {
		return false
	}
	var kept []TraceCall
	at := make([]int, len(t.Tree)) // where an element is now
	for i, c := range t.Tree {
		if depth[i] > deepest/2 || deepest == 0 {
			continue
		}
		if c.Parent >= 0 {
			c.Parent = at[c.Parent]
		}
		at[i] = len(kept)
		kept = append(kept, c)
	}
	t.Tree = kept
	return true
}
