//go:build !unix

package spawn

import (
	"os"
	"syscall"
)

// showsSignals says whether a Result tells a child that was killed from one that exited.
const showsSignals = false

func ownGroup() *syscall.SysProcAttr { return nil }

// killGroup reaches the child only: without process groups its own children are not known.
func killGroup(p *os.Process) { p.Kill() }

// signalGroup kills whatever the signal: there is no other.
func signalGroup(p *os.Process, _ syscall.Signal) error { return p.Kill() }

func usage(*Result, *os.ProcessState) {}
