package pace

import "fmt"

// A Mode is how a worker waits for its due time. The zero value is Hybrid.
type Mode uint8

const (
	// Hybrid sleeps until shortly before the due time and then spins. It is the most punctual where a core is mostly free, and
	// takes more CPU time than Sleep.
	Hybrid Mode = iota
	// Sleep only sleeps. It needs the least CPU time and is late by the time that
	// the system takes to wake a thread (20 to 120 µs on Linux, up to 1 ms elsewhere).
	Sleep
	// Spin reads the clock all the time and occupies one core. It is for one worker
	// on a free core: the kernel preempts threads that never sleep for
	// milliseconds. For several workers use Hybrid.
	Spin
	// Timer waits for a timer of the Go runtime. On Linux these fire 0.5 ms
	// late in the median and 1 ms at worst (golang/go#44343); it is there to
	// compare with, and for tests in a testing/synctest bubble, whose fake time
	// it follows.
	Timer
)

var modeNames = [...]string{Hybrid: "hybrid", Sleep: "sleep", Spin: "spin", Timer: "timer"}

// String returns the name of a mode.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return fmt.Sprintf("mode(%d)", uint8(m))
}
