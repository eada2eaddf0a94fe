package cli

import "testing"

// TestCallsFlags: --depth 0 is all of the tree, also what hardly took any time.
func TestCallsFlags(t *testing.T) {
	for depth, all := range map[int]bool{0: true, 1: false, 8: false} {
		c, err := (&callsFlags{top: 20, depth: depth, steps: 40}).config()
		if err != nil || (c.Share < 0) != all || (c.Depth < 0) != all {
			t.Errorf("--depth %d: %+v, %v", depth, c, err)
		}
	}
}
