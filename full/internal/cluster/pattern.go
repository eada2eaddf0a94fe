package cluster

import (
	"fmt"
)

// maxWeights limits the sum of weights, and so the length of a pattern.
const maxWeights = 1 << 16

// pattern returns who owns operation k, by k mod its length: each agent as often as its weight says, as evenly as can be
// (smooth weighted round robin, as nginx has it). An agent of weight 0 owns nothing.
func pattern(weights []int) ([]int, error) {
	total := 0
	for _, w := range weights {
		if w < 0 || w > maxWeights {
			return nil, fmt.Errorf("a weight of %d: want 0 to %d", w, maxWeights)
		}
		total += w
	}
	switch {
	case total == 0:
		return nil, fmt.Errorf("no agent has a weight above 0")
	case total > maxWeights:
		return nil, fmt.Errorf("weights of %d in all: at most %d", total, maxWeights)
	}
	g := 0
	for _, w := range weights {
		g = gcd(g, w)
	}
	current := make([]int, len(weights))
	owners := make([]int, 0, total/g)
	for range total / g {
		best := -1
		for i, w := range weights {
			current[i] += w / g
			if w > 0 && (best < 0 || current[i] > current[best]) {
				best = i
			}
		}
		current[best] -= total / g
		owners = append(owners, best)
	}
	return owners, nil
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// divide splits n things by weight: each agent of a weight above 0 has at least one, if there are enough.
func divide(n int, weights []int) []int {
	out := make([]int, len(weights))
	total, rest, users := 0, n, 0
	for _, w := range weights {
		total += w
		if w > 0 {
			users++
		}
	}
	if users == 0 {
		return out
	}
	for i, w := range weights {
		if w > 0 && rest > 0 {
			out[i], rest = 1, rest-1
		}
	}
	extra := rest
	for i, w := range weights {
		share := extra * w / total
		out[i] += share
		rest -= share
	}
	for i := 0; rest > 0; i = (i + 1) % len(weights) {
		if weights[i] > 0 {
			out[i]++
			rest--
		}
	}
	return out
}
