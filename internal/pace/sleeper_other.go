//go:build !linux

package pace

import "time"

// The margin that wake starts from, and the largest one, in ns. Timers of
// Windows move in steps of 0.5 to 1 ms; kqueue's are much better, which wake
// will find out.
const (
	firstMargin = int64(time.Millisecond)
	mostMargin  = int64(2 * time.Millisecond)
)

// newSleeper falls back to the timers of the Go runtime.
func newSleeper() (sleeper, error) { return newGoTimer(), nil }
