package spawn

import (
	"fmt"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// inProcess starts children from this process, where there is no launcher program.
type inProcess struct {
	reason error // why there is no launcher program

	mu       sync.Mutex
	closed   bool
	children map[uint32]*inProcessChild
	running  sync.WaitGroup
}

type inProcessChild struct {
	*Child
	cmd       *exec.Cmd
	signalled bool
}

func (h *inProcess) spawn(c *Child, j *job) error {
	if j.gate != nil {
		return fmt.Errorf("spawn: %s: %w: no launcher program", c.path, ErrHold)
	}
	cmd := &exec.Cmd{
		Path: j.path, Args: j.args, Env: j.env, Dir: j.dir,
		Stdout: j.files[0], Stderr: j.files[1], ExtraFiles: j.files[2:],
		SysProcAttr: newProcessGroup(),
	}
	// The lock spans the start, so that close cannot miss a child.
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return fmt.Errorf("spawn: %s: %w", c.path, ErrClosed)
	}
	start := monotonicNow()
	if err := cmd.Start(); err != nil {
		return j.explain(innermost(err))
	}
	c.pid = cmd.Process.Pid
	p := &inProcessChild{Child: c, cmd: cmd}
	if h.children == nil {
		h.children = map[uint32]*inProcessChild{}
	}
	h.children[c.id] = p
	h.running.Go(func() { h.wait(p, start) })
	return nil
}

func (h *inProcess) wait(p *inProcessChild, start int64) {
	p.cmd.Wait() // its error repeats ProcessState
	end := monotonicNow()
	h.mu.Lock()
	delete(h.children, p.id)
	signalled, closed := p.signalled, h.closed
	h.mu.Unlock()
	killGroup(p.cmd.Process) // the group's number stays reserved while one of its processes lives

	state := p.cmd.ProcessState
	res := Result{
		Pid: p.pid, Start: start, End: end,
		User: state.UserTime(), Sys: state.SystemTime(),
		ExitCode: state.ExitCode(),
		PeakBy:   fmt.Sprintf("not available: no launcher: %v", h.reason),
	}
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		res.PeakBy = "not available on this system"
	}
	usage(&res, state)
	var err error
	if closed {
		err = ErrClosed
	}
	p.finish(res, signalled, err)
}

func (h *inProcess) signal(c *Child, sig syscall.Signal) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	p := h.children[c.id]
	if p == nil {
		return nil
	}
	if sig == syscall.SIGKILL {
		killGroup(p.cmd.Process)
		p.signalled = true
		return nil
	}
	err := signalGroup(p.cmd.Process, sig)
	p.signalled = p.signalled || err == nil
	return err
}

func (h *inProcess) close() error {
	h.mu.Lock()
	h.closed = true
	for _, p := range h.children {
		killGroup(p.cmd.Process)
	}
	h.mu.Unlock()
	h.running.Wait()
	return nil
}

func (h *inProcess) peak() int64 { return 0 }
func (h *inProcess) pid() int    { return 0 }

// innermost unwraps err completely: explain adds a better operation and path than package os.
func innermost(err error) error {
	for {
		inner, ok := err.(interface{ Unwrap() error })
		if !ok || inner.Unwrap() == nil {
			return err
		}
		err = inner.Unwrap()
	}
}
