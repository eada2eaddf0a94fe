package hook

// tareNext returns how many operations will take goal ns if n of them took ns. It returns n if they took between goal
// and 1.5 goal, at which testing's own search aims: then iterations do the same work, and their amortised allocations
// are comparable. Otherwise it computes N as testing does, a fifth more than needed and at most a hundred times n,
// but the result may be less than n.
//
// As in testing, the result is between 1 and 1e9.
func tareNext(goal, n, ns int64) int64 {
	if n < 1 || ns >= goal && ns <= goal+goal/2 {
		return max(n, 1)
	}
	x := 1.2 * float64(goal) * float64(n) / float64(max(ns, 1))
	x = min(x, 100*float64(n), 1e9)
	return int64(max(x, 1))
}
