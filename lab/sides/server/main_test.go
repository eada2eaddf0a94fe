package main

import (
	"testing"
	"time"
)

// TestWait: only times beyond the 95th percentile are longer.
func TestWait(t *testing.T) {
	for _, c := range []struct {
		z, slower float64
		want      time.Duration
	}{
		{0, 0.1, 2 * time.Millisecond},
		{1, 0.1, 4027505 * time.Nanosecond},
		{2, 0, 8110399 * time.Nanosecond},
		{2, 0.1, 8921439 * time.Nanosecond},
	} {
		if got := wait(c.z, c.slower); got-c.want > time.Microsecond || c.want-got > time.Microsecond {
			t.Errorf("z %g, slower by %g: %v, want %v", c.z, c.slower, got, c.want)
		}
	}
}
