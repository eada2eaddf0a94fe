package perfevent

import (
	"testing"
	"time"
)

// TestChooseCost: interrupts may be in CPU time or not.
func TestChooseCost(t *testing.T) {
	for _, c := range []struct {
		cpu, wall float64
		want      time.Duration
	}{{13_000, 14_000, 13_000}, {13_000, 90_000, 13_000}, {800, 900, 900}, {100, 14_000, 14_000}, {-500, 14_000, 14_000}, {-3, -2, 0}, {0.5, 0, 0}} {
		got, err := chooseCost(c.cpu, c.wall)
		if got != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("%v by CPU time, %v by the clock: %v, %v", c.cpu, c.wall, got, err)
		}
	}
}

// TestQuartile: of slices, by either clock.
func TestQuartile(t *testing.T) {
	var on, off []slice
	for i := range 64 {
		off = append(off, slice{time.Duration(100 + i), time.Duration(1000 - i)})
		on = append(on, slice{time.Duration(150 + i), time.Duration(1100 - i)})
	}
	if excess(on, off, slice.ofCPU) != 50 || excess(on, off, slice.ofWall) != 100 || quartile(off, slice.ofCPU) != 116 {
		t.Errorf("%v, %v, %v", excess(on, off, slice.ofCPU), excess(on, off, slice.ofWall), quartile(off, slice.ofCPU))
	}
}
