//go:build !(linux && amd64)

package clock

import "runtime"

// noCounter returns why the cycle counter is not used: only on linux/amd64 does the
// kernel's choice of it prove that it is a clock. The kernel's clock on arm64 is that
// counter, so that reading it would be no faster than Now.
func noCounter() (why string) {
	return "no cycle counter is trusted on " + runtime.GOOS + "/" + runtime.GOARCH
}
