//go:build !(linux && amd64)

package clock

import "runtime"

// noCounter returns why there is no cycle counter to be a clock here: what
// vouches for one, the kernel's choice of it, is known on linux/amd64 only. The
// counter of arm64 is what the kernel reads there, and no faster than Now.
func noCounter() (why string) {
	return "no cycle counter is trusted on " + runtime.GOOS + "/" + runtime.GOARCH
}
