//go:build !(linux || darwin || freebsd || openbsd || dragonfly)

package spawn

import "time"

var began = time.Now()

// monotonicNow counts nanoseconds from this process's beginning.
func monotonicNow() int64 { return int64(time.Since(began)) }
