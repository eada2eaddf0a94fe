package cluster

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPattern(t *testing.T) {
	for _, tt := range []struct {
		weights, want []int
	}{
		{[]int{1}, []int{0}},
		{[]int{1, 1, 1}, []int{0, 1, 2}},
		{[]int{2, 1}, []int{0, 1, 0}},
		{[]int{4, 2}, []int{0, 1, 0}}, // as 2 to 1
		{[]int{5, 1, 1}, []int{0, 0, 1, 0, 2, 0, 0}},
		{[]int{0, 3, 3}, []int{1, 2}},
	} {
		if got, err := pattern(tt.weights); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, %v; want %v", tt.weights, got, err, tt.want)
		}
	}
	for _, weights := range [][]int{nil, {0, 0}, {-1, 2}, {maxWeights, 1}} {
		if got, err := pattern(weights); err == nil {
			t.Errorf("%v: %v", weights, got)
		}
	}
}

// TestPatternIsEven: each agent has its part in the whole pattern, and nearly its part in every beginning of it.
func TestPatternIsEven(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		weights := make([]int, 1+rng.IntN(8))
		total := 0
		for i := range weights {
			weights[i] = rng.IntN(20)
			total += weights[i]
		}
		if total == 0 {
			continue
		}
		owners, err := pattern(weights)
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, weights, err)
		}
		seen := make([]int, len(weights))
		for k, owner := range owners {
			seen[owner]++
			for i, w := range weights {
				want := float64(k+1) * float64(w) / float64(total)
				if d := float64(seen[i]) - want; d > float64(len(weights)) || d < -float64(len(weights)) {
					t.Fatalf("seed %d: %v: agent %d has %d of the first %d, want about %.1f", seed, weights, i, seen[i], k+1, want)
				}
			}
		}
		for i, w := range weights {
			if seen[i]*total != w*len(owners) {
				t.Fatalf("seed %d: %v: agent %d has %d of %d", seed, weights, i, seen[i], len(owners))
			}
		}
	}
}

func TestDivide(t *testing.T) {
	for _, tt := range []struct {
		n             int
		weights, want []int
	}{
		{8, []int{1, 1}, []int{4, 4}},
		{7, []int{1, 1}, []int{4, 3}},
		{2, []int{1, 1, 1}, []int{1, 1, 0}},
		{1000, []int{3, 1}, []int{750, 250}},
		{5, []int{0, 1}, []int{0, 5}},
		{5, []int{0, 0}, []int{0, 0}},
	} {
		got := divide(tt.n, tt.weights)
		sum := 0
		for _, x := range got {
			sum += x
		}
		if sum != tt.n && tt.weights[0]+tt.weights[1] > 0 {
			t.Errorf("%d by %v: %v", tt.n, tt.weights, got)
		}
		for i := range got {
			if d := got[i] - tt.want[i]; d < -1 || d > 1 {
				t.Errorf("%d by %v: %v, want about %v", tt.n, tt.weights, got, tt.want)
			}
		}
	}
}

func TestParseWanted(t *testing.T) {
	for text, want := range map[string]Wanted{
		"3":        {Count: 3},
		"a,b":      {Count: 2, Named: []Named{{"a", 1}, {"b", 1}}},
		"a=2, b":   {Count: 2, Named: []Named{{"a", 2}, {"b", 1}}},
		"host-1":   {Count: 1, Named: []Named{{"host-1", 1}}},
		"10.0.0.1": {Count: 1, Named: []Named{{"10.0.0.1", 1}}},
	} {
		got, err := ParseWanted(text)
		if err != nil || got.Count != want.Count || !slices.Equal(got.Named, want.Named) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"":     `"": want a number of agents, or names as a,b or a=2,b=1`,
		"0":    "0 agents: want 1 to 4096",
		"5000": "5000 agents: want 1 to 4096",
		"a,a":  "agent a is named twice",
		"a=0":  `"a=0": the weight of an agent is a number from 1 to 65536`,
		"a=2x": `"a=2x": the weight of an agent is a number from 1 to 65536`,
		"a,,b": `"a,,b": want a number of agents, or names as a,b or a=2,b=1`,
	} {
		if _, err := ParseWanted(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
