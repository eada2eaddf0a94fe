package result

import (
	"math"
	"testing"
)

// TestMoreForks: a few more forks are not promised while the interval is many times as wide as what matters.
func TestMoreForks(t *testing.T) {
	for _, test := range []struct {
		name         string
		bound        float64
		have, needed int
		want         int
	}{
		{"± 196 %, nearly significant", 1.96, 20, 21, 0},
		{"± 22 %, nearly excluded", 0.22, 20, 23, 0},
		{"± 12 %, nearly excluded", 0.12, 20, 23, 3},
		{"± 71 %, many more", 0.71, 20, 60, 40},
		{"± 1016 % of few forks", 10.16, 6, 8, 0},
		{"too few for an interval", math.Inf(1), 3, 4, 1},
		{"not known", 0.12, 20, 0, 0},
		{"as many as there are", 0.12, 20, 20, 1},
	} {
		c := Comparison{Bound: Number(test.bound), OldN: test.have, NewN: test.have + 1, ForksNeeded: test.needed}
		if got := c.MoreForks(0.03); got != test.want {
			t.Errorf("%s: %d more forks, want %d", test.name, got, test.want)
		}
	}
}
