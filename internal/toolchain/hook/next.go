package hook

// tareNext is how many operations shall last goal ns, where n of them lasted
// ns. What is found good enough is kept, so that iterations do the same work and
// their amortised allocations compare: from goal to half as much again, which is
// where testing's own guess lands. Otherwise it is that guess, a fifth more than
// needed and at most a hundred times as many as before, but it may also shrink.
//
// As in testing, there are at most 1e9 operations, and at least one.
func tareNext(goal, n, ns int64) int64 {
	if n < 1 || ns >= goal && ns <= goal+goal/2 {
		return max(n, 1)
	}
	x := 1.2 * float64(goal) * float64(n) / float64(max(ns, 1))
	x = min(x, 100*float64(n), 1e9)
	return int64(max(x, 1))
}
