package spawn

import (
	"fmt"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// plain starts children from this process, where there is no launcher program.
type plain struct {
	why error // why there is none

	mu       sync.Mutex
	closed   bool
	children map[uint32]*plainChild
	running  sync.WaitGroup
}

type plainChild struct {
	*Child
	cmd       *exec.Cmd
	signalled bool
}

func (h *plain) spawn(c *Child, j *job) error {
	if j.gate != nil {
		return fmt.Errorf("launch: %s: %w: no launcher program", c.path, ErrHold)
	}
	cmd := &exec.Cmd{
		Path: j.path, Args: j.args, Env: j.env, Dir: j.dir,
		Stdout: j.files[0], Stderr: j.files[1], ExtraFiles: j.files[2:],
		SysProcAttr: ownGroup(),
	}
	// The lock spans the start, so that close cannot miss a child.
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return fmt.Errorf("launch: %s: %w", c.path, ErrClosed)
	}
	start := mono()
	if err := cmd.Start(); err != nil {
		return j.explain(bare(err))
	}
	c.pid = cmd.Process.Pid
	p := &plainChild{Child: c, cmd: cmd}
	if h.children == nil {
		h.children = map[uint32]*plainChild{}
	}
	h.children[c.id] = p
	h.running.Go(func() { h.wait(p, start) })
	return nil
}

func (h *plain) wait(p *plainChild, start int64) {
	p.cmd.Wait() // its error repeats what ProcessState says
	end := mono()
	h.mu.Lock()
	delete(h.children, p.id)
	signalled, closed := p.signalled, h.closed
	h.mu.Unlock()
	killGroup(p.cmd.Process) // what it left behind; the group's number is theirs while one of them lives

	state := p.cmd.ProcessState
	res := Result{
		Pid: p.pid, Start: start, End: end,
		User: state.UserTime(), Sys: state.SystemTime(),
		ExitCode: state.ExitCode(),
		PeakBy:   fmt.Sprintf("not available: no launcher: %v", h.why),
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

func (h *plain) signal(c *Child, sig syscall.Signal) error {
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

func (h *plain) close() error {
	h.mu.Lock()
	h.closed = true
	for _, p := range h.children {
		killGroup(p.cmd.Process)
	}
	h.mu.Unlock()
	h.running.Wait()
	return nil
}

func (h *plain) peak() int64 { return 0 }
func (h *plain) pid() int    { return 0 }

// bare takes the operation and path off an error of package os: explain puts better ones on.
func bare(err error) error {
	for {
		inner, ok := err.(interface{ Unwrap() error })
		if !ok || inner.Unwrap() == nil {
			return err
		}
		err = inner.Unwrap()
	}
}
