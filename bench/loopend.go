package bench

import "testing"

// loopEnded is called when the measured operations have ended and what they worked on still lives. tare bench --prof mem
// reads there what is retained: package testing has a method for it in builds with tare's hooks, and only there.
func loopEnded(b *testing.B) {
	if h, ok := any(b).(interface{ TareLoopEnd() }); ok {
		h.TareLoopEnd()
	}
}
