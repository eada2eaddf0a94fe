package spawn

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

// A Child is a started process.
type Child struct {
	path string
	id   uint32 // the launcher's name for it; unlike a pid never reused
	host host
	pid  int // set before Spawn returns
	done chan struct{}
	gate *os.File // of a held child: writing one byte releases it

	mu           sync.Mutex
	ended        bool
	reason       error         // why we ended it; nil while it may run
	otherSignal  bool          // ended by another signal than SIGKILL first
	stopWatchers []func() bool // stops the watchers
	result       Result
	err          error
}

// Pid returns the ID of the process, which is also that of its process group.
func (c *Child) Pid() int { return c.pid }

// Wait returns when the child has ended and the rest of its group is killed. The error is nil if the child
// ended by itself, with any status. If we ended it, the error says why, and the Result is still valid; only
// with ErrGone and ErrClosed its usage is lost. Wait may be called more than once and from several goroutines.
func (c *Child) Wait() (Result, error) {
	<-c.done
	return c.result, c.err
}

// Release lets a held child execute its program. It does nothing for a child that was not held. If the program
// cannot be executed, the child prints the reason on its standard error and exits with status 126.
func (c *Child) Release() error {
	if c.gate == nil {
		return nil
	}
	_, err := c.gate.Write([]byte{1})
	c.closeGate()
	if err != nil {
		return fmt.Errorf("spawn: %s (pid %d): releasing it: %w", c.path, c.pid, err)
	}
	return nil
}

// closeGate closes the gate of a held child, which ends it if it has not been released.
func (c *Child) closeGate() {
	if c.gate != nil {
		c.gate.Close()
	}
}

// Kill kills the child and its group at once.
func (c *Child) Kill() { c.end(ErrKilled, syscall.SIGKILL) }

// Quit sends SIGQUIT to the child's group, on which a Go program prints its goroutines' stacks and exits.
// After grace it kills the group. On Windows, which has no SIGQUIT, the child is killed at once.
func (c *Child) Quit(grace time.Duration) { c.signalThenKill(ErrKilled, syscall.SIGQUIT, grace) }

// signalThenKill signals the group, and kills it after grace.
func (c *Child) signalThenKill(why error, sig syscall.Signal, grace time.Duration) {
	c.end(why, sig)
	t := time.AfterFunc(grace, func() { c.end(why, syscall.SIGKILL) })
	c.onFinish(t.Stop)
}

// watch ends the child when ctx is done or the timeout is over.
func (c *Child) watch(ctx context.Context, s *Spec) {
	end := func(why error, sig syscall.Signal) {
		if s.Grace > 0 && sig != syscall.SIGKILL {
			c.signalThenKill(why, sig, s.Grace)
		} else {
			c.end(why, syscall.SIGKILL)
		}
	}
	c.onFinish(context.AfterFunc(ctx, func() {
		end(fmt.Errorf("killed: %w", context.Cause(ctx)), cmp.Or(s.StopSignal, syscall.SIGKILL))
	}))
	if s.Timeout <= 0 {
		return
	}
	t := time.AfterFunc(s.Timeout, func() {
		end(fmt.Errorf("%w after %v", ErrTimeout, s.Timeout), cmp.Or(s.StopSignal, syscall.SIGQUIT))
	})
	c.onFinish(t.Stop)
}

// onFinish calls stop when the child has ended, at once if it has already.
func (c *Child) onFinish(stop func() bool) {
	c.mu.Lock()
	ended := c.ended
	if !ended {
		c.stopWatchers = append(c.stopWatchers, stop)
	}
	c.mu.Unlock()
	if ended {
		stop()
	}
}

// end signals the group. Wait reports the first reason given.
func (c *Child) end(why error, sig syscall.Signal) {
	c.mu.Lock()
	c.otherSignal = c.otherSignal || sig != syscall.SIGKILL
	if c.reason == nil {
		c.reason = why
	}
	ended := c.ended
	c.mu.Unlock()
	if !ended {
		c.host.signal(c, sig) // fails only if the host is gone, which ends the child itself
	}
}

// finish makes Wait return. signalled means that one of our signals reached the child while it ran.
func (c *Child) finish(r Result, signalled bool, err error) {
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return
	}
	// A child that exited before our SIGKILL arrived ended by itself. After SIGQUIT a program may exit with
	// any status (Go's: 2), so there the exit tells nothing.
	if err == nil && signalled && (r.Signal != 0 || c.otherSignal || !showsSignals) {
		err = c.reason
	}
	if err != nil {
		err = fmt.Errorf("spawn: %s (pid %d): %w", c.path, r.Pid, err)
	}
	c.ended, c.result, c.err = true, r, err
	release := c.stopWatchers
	c.stopWatchers = nil
	c.mu.Unlock()
	c.closeGate()
	close(c.done)
	for _, stop := range release {
		stop()
	}
}
