//go:build unix

package service

import (
	"os/exec"
	"syscall"
)

// OwnGroup has a command run in a process group of its own.
func OwnGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminate(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }

// Kill ends a command of [OwnGroup] with all processes of its group.
func Kill(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
