//go:build !unix

package spawn

import (
	"os"
	"syscall"
)

// showsSignals says whether a Result distinguishes a killed child from one that exited.
const showsSignals = false

func newProcessGroup() *syscall.SysProcAttr { return nil }

// killGroup kills only the child: without process groups its descendants are unknown.
func killGroup(p *os.Process) { p.Kill() }

// signalGroup kills for any signal, because this system has no others.
func signalGroup(p *os.Process, _ syscall.Signal) error { return p.Kill() }

func usage(*Result, *os.ProcessState) {}
