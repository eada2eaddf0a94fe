package usage

import (
	"math"
	"testing"
	"time"
)

// TestCores: the CPU time of measuring is no work of a task that takes no time.
func TestCores(t *testing.T) {
	for _, c := range []struct {
		real, cpu, tare time.Duration
		want            float64
	}{
		{time.Second, 2 * time.Second, time.Microsecond, 2}, {time.Second, 2 * time.Second, 0, 2},
		{10 * time.Microsecond, 5 * time.Microsecond, time.Microsecond, 0.5},
		{161, 1221, 1482, math.NaN()}, {9 * time.Microsecond, 5 * time.Microsecond, time.Microsecond, math.NaN()}, {0, 1, 0, math.NaN()},
	} {
		u := Usage{Real: c.real, CPU: c.cpu, Overhead: Overhead{CPU: c.tare}}
		if got := u.Cores(); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%v of %v: %v cores, want %v", c.cpu, c.real, got, c.want)
		}
	}
}
