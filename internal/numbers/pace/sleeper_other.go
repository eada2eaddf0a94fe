//go:build !linux

package pace

import "time"

// The narrow margin of wake at first and at most, and the wide one at most, in ns. Timers of Windows have steps of
// 0.5 to 1 ms; those of kqueue are finer, to which wake adapts.
const (
	firstMargin = int64(time.Millisecond)
	mostNarrow  = int64(2 * time.Millisecond)
	mostWide    = int64(2 * time.Millisecond)
)

// lead is so long that no sleep is divided: whether a second one would be more punctual than the first was not measured.
const lead = int64(1 << 50)

// newSleeper uses the timers of the Go runtime.
func newSleeper() (sleeper, error) { return newGoTimer(), nil }
