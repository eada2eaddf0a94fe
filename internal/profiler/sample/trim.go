package sample

import (
	"regexp"
	"strings"
)

// What a goroutine was found in is not what it did: how the runtime takes it off its P,
// and how it waits, is left out of its stack, unless nothing would be left.

// goexit is what every goroutine returns to.
const goexit = "runtime.goexit"

// wraps matches functions that the compiler has made of go f(x).
var wraps = regexp.MustCompile(`\.gowrap[0-9]+$`)

// trim leaves out what is not the program's own, of a stack with the innermost first.
func trim(frames []frame, state uint64) []frame {
	if n := len(frames); n > 0 && frames[n-1].name == goexit {
		frames = frames[:n-1]
	}
	machinery := preempts
	switch {
	case state >= inWaiting, state == inRunnable && len(frames) > 0 && frames[0].name == "runtime.gopark": // it was woken up
		machinery = waits
	case state == inSyscall:
		machinery = calls
	}
	for i, f := range frames {
		if !machinery(f.name) {
			return unwrapped(frames[i:])
		}
	}
	return frames
}

// unwrapped leaves out what is not in every stack of the same goroutine.
func unwrapped(frames []frame) []frame {
	if n := len(frames); n > 1 && wraps.MatchString(frames[n-1].name) {
		return frames[:n-1]
	}
	return frames
}

// waits tells functions by which the runtime parks a goroutine.
func waits(name string) bool {
	return strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/runtime/") || strings.Contains(name, ".runtime_")
}

// calls tells functions that prepare a system call.
func calls(name string) bool {
	return strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/runtime/syscall.")
}

// preempts tells functions by which a goroutine that runs makes room for another.
func preempts(name string) bool {
	switch name {
	case "runtime.mcall", "runtime.gopreempt_m", "runtime.goschedImpl", "runtime.asyncPreempt", "runtime.asyncPreempt2",
		"runtime.newstack", "runtime.morestack", "runtime.morestack_noctxt", "runtime.goschedguarded":
		return true
	}
	return false
}
