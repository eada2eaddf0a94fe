//go:build !unix

package env

import "time"

// OwnCPU returns the CPU time that this process has used, 0 where it is not known.
func OwnCPU() time.Duration { return 0 }
