//go:build !(linux || darwin || freebsd || openbsd || dragonfly)

package spawn

import "time"

var began = time.Now()

// mono counts nanoseconds from this process's beginning.
func mono() int64 { return int64(time.Since(began)) }
