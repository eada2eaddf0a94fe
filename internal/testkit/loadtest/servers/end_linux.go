package servers

import (
	"os/exec"
	"syscall"
)

// endWithUs makes the kernel kill the process when the test dies.
func endWithUs(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
