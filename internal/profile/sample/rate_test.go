package sample

import (
	"testing"
	"time"
)

// TestRate: no rate is a round one, where that matters, nor far from what was asked for.
func TestRate(t *testing.T) {
	for interval, want := range map[time.Duration]int{
		10 * time.Millisecond: 97, time.Millisecond: 969, 100 * time.Microsecond: 9688, 100 * time.Millisecond: 9,
		20 * time.Millisecond: 49, time.Second: 1, 3 * time.Second: 1, time.Second / 7: 7,
	} {
		if got := rate(interval); got != want {
			t.Errorf("%v: %d, want %d", interval, got, want)
		}
	}
}
