//go:build !linux

package pace

import "time"

// The initial and the largest margin of wake, in ns. Timers of Windows have steps of
// 0.5 to 1 ms; those of kqueue are finer, to which wake adapts.
const (
	firstMargin = int64(time.Millisecond)
	mostMargin  = int64(2 * time.Millisecond)
)

// newSleeper uses the timers of the Go runtime.
func newSleeper() (sleeper, error) { return newGoTimer(), nil }
