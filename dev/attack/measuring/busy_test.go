//go:build linux

package measuring

import "testing"

// TestVerdicts: only rows of time count, and only those that say different are wrong.
func TestVerdicts(t *testing.T) {
	all, err := readVerdicts(`{"comparisons":[{"name":"A","unit":"ns/op","verdict":"slower","trusted":true},{"name":"A","unit":"B/op","verdict":"more"},
		{"name":"B","unit":"ns/op","verdict":"undecided"},{"name":"C","unit":"ns/op","verdict":"equivalent","trusted":true}]}`)
	if err != nil || len(all) != 3 || !all[0].different() || !all[0].Trusted || all[1].different() || all[2].different() {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestMostFalse: bounds of the binomial distribution at 5 %, by hand for the small ones.
func TestMostFalse(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 2: 2, 3: 2, 100: 13} {
		if got := mostFalse(n); got != want {
			t.Errorf("of %d: %d, want %d", n, got, want)
		}
	}
}
