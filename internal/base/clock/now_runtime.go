//go:build !windows

package clock

import "time"

// origin relates the runtime's monotonic clock to the kernel's. It is set once,
// before main.
var origin = measureAnchor(kernel, brackets)

// Now returns the time of the machine's shared monotonic clock in nanoseconds.
// It is safe for concurrent use and allocates nothing.
func Now() int64 {
	// time.Since is the cheapest way to the runtime's nanotime: it reads one
	// clock where time.Now reads two.
	return origin.base + int64(time.Since(origin.start))
}

// Shared reports whether stamps of different processes are comparable, and the
// largest error of a stamp against the kernel's clock in nanoseconds. The error is
// constant in a process: differences of its own stamps do not contain it.
func Shared() (errNs float64, ok bool) { return origin.err, origin.ok }
