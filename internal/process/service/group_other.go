//go:build !unix

package service

import "os/exec"

// OwnGroup has a command run in a process group of its own, where there are any.
func OwnGroup(*exec.Cmd) {}

func terminate(c *exec.Cmd) { c.Process.Kill() }

// Kill ends a command of [OwnGroup] with all processes of its group.
func Kill(c *exec.Cmd) { c.Process.Kill() }
