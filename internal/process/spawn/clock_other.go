//go:build !(linux || darwin || freebsd || openbsd || dragonfly)

package spawn

import "time"

var began = time.Now()

// monotonicNow returns the nanoseconds since this process started.
func monotonicNow() int64 { return int64(time.Since(began)) }
