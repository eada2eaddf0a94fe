package sample

import (
	"regexp"
	"strings"
)

// Functions of the runtime that preempt a goroutine or make it wait are removed from its stack, unless nothing else is
// in it.

// goexit is the outermost function of every goroutine.
const goexit = "runtime.goexit"

// goWrapper matches functions that the compiler generates for go f(x).
var goWrapper = regexp.MustCompile(`\.gowrap[0-9]+$`)

// trim removes functions from a stack, innermost first, that are not the program's own.
func trim(frames []frame, state uint64) []frame {
	if n := len(frames); n > 0 && frames[n-1].name == goexit {
		frames = frames[:n-1]
	}
	machinery := isPreemption
	switch {
	case state >= inWaiting, state == inRunnable && len(frames) > 0 && frames[0].name == "runtime.gopark": // it was woken up
		machinery = isParking
	case state == inSyscall:
		machinery = isSystemCall
	}
	for i, f := range frames {
		if !machinery(f.name) {
			return unwrapped(frames[i:])
		}
	}
	return frames
}

// unwrapped removes generated functions, which only some stacks of a goroutine have.
func unwrapped(frames []frame) []frame {
	if n := len(frames); n > 1 && goWrapper.MatchString(frames[n-1].name) {
		return frames[:n-1]
	}
	return frames
}

// isParking reports whether a function of the runtime parks a goroutine.
func isParking(name string) bool {
	return strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/runtime/") || strings.Contains(name, ".runtime_")
}

// isSystemCall reports whether a function prepares a system call.
func isSystemCall(name string) bool {
	return strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "internal/runtime/syscall.")
}

// isPreemption reports whether a function takes a running goroutine off its P.
func isPreemption(name string) bool {
	switch name {
	case "runtime.mcall", "runtime.gopreempt_m", "runtime.goschedImpl", "runtime.asyncPreempt", "runtime.asyncPreempt2",
		"runtime.newstack", "runtime.morestack", "runtime.morestack_noctxt", "runtime.goschedguarded":
		return true
	}
	return false
}
