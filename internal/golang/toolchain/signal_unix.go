//go:build unix

package toolchain

import (
	"errors"
	"os/exec"
	"syscall"
)

// endedBy returns the signal that ended a process, "" if none did.
func endedBy(err error) string {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return ""
	}
	if st, ok := exit.Sys().(syscall.WaitStatus); ok && st.Signaled() {
		return st.Signal().String()
	}
	return ""
}
