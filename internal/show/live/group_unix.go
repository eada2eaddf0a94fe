//go:build unix

package live

import (
	"os/exec"
	"syscall"
)

// setGroup gives the server a process group of its own: Ctrl-C in a terminal is for tare, which ends the server after the run.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
