package programrun

import (
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/env"
)

// TestOthersOf: what the program had itself is no part of what others had.
func TestOthersOf(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		d    env.CPUTimes
		own  time.Duration
		want float64
	}{
		{env.CPUTimes{User: 3 * s, System: s, Idle: 4 * s}, 4 * s, 0},
		{env.CPUTimes{User: 3 * s, System: s, Idle: 4 * s}, 2 * s, 0.25},
		{env.CPUTimes{User: 2 * s, Steal: 2 * s, Idle: 4 * s}, 2 * s, 0.25},
		{env.CPUTimes{User: 2 * s, IOWait: 2 * s}, 3 * s, 0}, // finer than the kernel counts
		{env.CPUTimes{}, s, 0},
	} {
		if got := othersOf(c.d, c.own); got != c.want {
			t.Errorf("of %+v, %s its own: others had %g, want %g", c.d, c.own, got, c.want)
		}
	}
}
