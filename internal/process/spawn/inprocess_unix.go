//go:build unix

package spawn

import (
	"os"
	"syscall"
)

// showsSignals says whether a Result tells a child that was killed from one that exited.
const showsSignals = true

func newProcessGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// killGroup also kills the leader if it has moved to another group.
func killGroup(p *os.Process) {
	syscall.Kill(-p.Pid, syscall.SIGKILL)
	p.Kill()
}

func signalGroup(p *os.Process, sig syscall.Signal) error { return syscall.Kill(-p.Pid, sig) }

// usage fills in what only Unix reports, except ru_maxrss, which would include our own peak.
func usage(r *Result, state *os.ProcessState) {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		r.Signal = status.Signal()
	}
	if ru, ok := state.SysUsage().(*syscall.Rusage); ok {
		r.MinorFaults, r.MajorFaults = int64(ru.Minflt), int64(ru.Majflt)
		r.Voluntary, r.Involuntary = int64(ru.Nvcsw), int64(ru.Nivcsw)
	}
}
