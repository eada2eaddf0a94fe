package servers

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// process is one run of a server.
type process struct {
	cmd    *exec.Cmd
	output bytes.Buffer  // complete when it has ended
	ended  chan struct{} // closed then
	err    error         // of its end
}

// start starts a process that ends with this one. The kernel ends it when the
// thread dies that started it, so that thread is kept until the process has
// ended.
func start(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &p.output, &p.output
	cmd.WaitDelay = time.Second // children may hold the pipe
	endWithUs(cmd)
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(p.ended)
		}
	}()
	return p, <-started
}

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// kill ends the process by a signal, or by SIGKILL if that has no effect.
func (p *process) kill(s os.Signal) {
	p.cmd.Process.Signal(s) // an error says that it has ended
	select {
	case <-p.ended:
	case <-time.After(patience / 6):
		p.cmd.Process.Kill()
		<-p.ended
	}
}
