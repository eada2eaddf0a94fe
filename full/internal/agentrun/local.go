package agentrun

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/process/service"
)

// localAgents are agents that the controller has started.
type localAgents struct {
	all    []*localAgent
	ending atomic.Bool // they were asked to end
}

type localAgent struct {
	name   string
	cmd    *exec.Cmd
	stdin  io.WriteCloser // the agent ends when it is closed
	output *service.Tail
	ended  chan struct{}
}

// startLocal starts agents on this machine. gone is called if one ends by itself. They get the token by their environment, which other users cannot read.
func (c *Controller) startLocal(l *link, allowed []string, gone func(name, why string)) (*localAgents, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, exit.Failed(fmt.Errorf("the agents cannot be started: %w", err), "")
	}
	url, token := c.nats, c.token
	if l.server != nil {
		url, token = l.server.URL(), l.server.Token()
	}
	args := []string{"agent", "--join", url, "--group", c.group, "--once", "--local", "--allow-files", "--quiet"}
	for _, host := range allowed {
		args = append(args, "--allow-host", host)
	}
	if c.creds != "" {
		args = append(args, "--nats-creds", c.creds)
	}
	if c.ca != "" && l.server == nil {
		args = append(args, "--ca", c.ca)
	}
	all := &localAgents{}
	for i := range c.local {
		a := &localAgent{name: "local-" + strconv.Itoa(i+1), output: &service.Tail{}, ended: make(chan struct{})}
		more := []string{"--name", a.name}
		if c.keep != "" {
			more = append(more, "--keep", filepath.Join(c.keep, a.name))
		}
		a.cmd = exec.Command(program, append(append([]string{}, args...), more...)...)
		a.cmd.Env = append(os.Environ(), tokenVariable+"="+token)
		a.cmd.Stdout, a.cmd.Stderr, a.cmd.WaitDelay = a.output, a.output, time.Second
		service.OwnGroup(a.cmd) // Ctrl-C is for the controller, which ends them
		if a.stdin, err = a.cmd.StdinPipe(); err == nil {
			err = a.cmd.Start()
		}
		if err != nil {
			all.end(false)
			return nil, exit.Failed(fmt.Errorf("agent %s cannot be started: %w", a.name, err), "")
		}
		all.all = append(all.all, a)
		go func() {
			err := a.cmd.Wait()
			close(a.ended)
			if !all.ending.Load() {
				gone(a.name, how(err))
			}
		}()
	}
	return all, nil
}

// how says how a process ended.
func how(err error) string {
	if err == nil {
		return "its process ended"
	}
	return "its process ended: " + err.Error()
}

// explain adds to an error how local agents ended.
func (l *localAgents) explain(err error) error {
	if l == nil {
		return err
	}
	for _, a := range l.all {
		select {
		case <-a.ended:
			if last := a.output.Last(); last != "" {
				return exit.Failed(fmt.Errorf("agent %s has ended: %s", a.name, last), "")
			}
		default:
		}
	}
	return err
}

// expectEnd makes the end of agents expected, so that it is not reported.
func (l *localAgents) expectEnd() {
	if l != nil {
		l.ending.Store(true)
	}
}

// ends is how long local agents may take to end by themselves.
const ends = 2 * time.Second

// end ends the agents. Those of a complete run end by themselves.
func (l *localAgents) end(complete bool) {
	if l == nil {
		return
	}
	l.expectEnd()
	var wg sync.WaitGroup
	for _, a := range l.all {
		wg.Go(func() {
			if !complete {
				a.stdin.Close()
			}
			select {
			case <-a.ended:
			case <-time.After(ends):
				service.Kill(a.cmd)
				<-a.ended
			}
			a.stdin.Close()
		})
	}
	wg.Wait()
}
