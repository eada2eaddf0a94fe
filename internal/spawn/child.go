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
	id   uint32 // what the launcher knows it by; a pid may come back, an id does not
	host host
	pid  int // set before Spawn returns
	done chan struct{}
	gate *os.File // of a held child: a byte lets it go

	mu      sync.Mutex
	ended   bool
	why     error         // why we wanted it to end; nil while it may run
	asked   bool          // to end by another signal, and not only killed
	release []func() bool // stops the watchers
	result  Result
	err     error
}

// Pid is the child's process, and the number of its process group.
func (c *Child) Pid() int { return c.pid }

// Wait returns when the child has ended and what it left behind in its group is killed. The error is nil if it
// ended by itself, with whatever status. If we ended it, the error says why and the Result is valid nevertheless; only
// with ErrGone and ErrClosed its usage is lost. Wait may be called more than once and from several goroutines.
func (c *Child) Wait() (Result, error) {
	<-c.done
	return c.result, c.err
}

// Release lets a held child execute its program; others run already. If that cannot be executed, which Spawn would
// have told of a child that is not held, the child says so on its standard error and exits with status 126.
func (c *Child) Release() error {
	if c.gate == nil {
		return nil
	}
	_, err := c.gate.Write([]byte{1})
	c.shut()
	if err != nil {
		return fmt.Errorf("launch: %s (pid %d): releasing it: %w", c.path, c.pid, err)
	}
	return nil
}

// shut closes the gate of a held child, which ends it if it has not been released.
func (c *Child) shut() {
	if c.gate != nil {
		c.gate.Close()
	}
}

// Kill ends the child and its group at once.
func (c *Child) Kill() { c.end(ErrKilled, syscall.SIGKILL) }

// Quit sends SIGQUIT to the child's group, on which a Go program prints the stacks of its goroutines and exits,
// and kills the group after grace. Where there is no SIGQUIT (Windows) the child is killed at once.
func (c *Child) Quit(grace time.Duration) { c.ask(ErrKilled, syscall.SIGQUIT, grace) }

// ask signals the group, and kills it after grace.
func (c *Child) ask(why error, sig syscall.Signal, grace time.Duration) {
	c.end(why, sig)
	t := time.AfterFunc(grace, func() { c.end(why, syscall.SIGKILL) })
	c.onFinish(t.Stop)
}

// watch ends the child when ctx is done or the timeout is over.
func (c *Child) watch(ctx context.Context, s *Spec) {
	end := func(why error, sig syscall.Signal) {
		if s.Grace > 0 && sig != syscall.SIGKILL {
			c.ask(why, sig, s.Grace)
		} else {
			c.end(why, syscall.SIGKILL)
		}
	}
	c.onFinish(context.AfterFunc(ctx, func() {
		end(fmt.Errorf("killed: %w", context.Cause(ctx)), cmp.Or(s.Ask, syscall.SIGKILL))
	}))
	if s.Timeout <= 0 {
		return
	}
	t := time.AfterFunc(s.Timeout, func() {
		end(fmt.Errorf("%w after %v", ErrTimeout, s.Timeout), cmp.Or(s.Ask, syscall.SIGQUIT))
	})
	c.onFinish(t.Stop)
}

// onFinish has stop called when the child has ended, at once if it has already.
func (c *Child) onFinish(stop func() bool) {
	c.mu.Lock()
	ended := c.ended
	if !ended {
		c.release = append(c.release, stop)
	}
	c.mu.Unlock()
	if ended {
		stop()
	}
}

// end signals the group. The first reason given is the one that counts.
func (c *Child) end(why error, sig syscall.Signal) {
	c.mu.Lock()
	c.asked = c.asked || sig != syscall.SIGKILL
	if c.why == nil {
		c.why = why
	}
	ended := c.ended
	c.mu.Unlock()
	if !ended {
		c.host.signal(c, sig) // fails only if the host is gone, and then it ends the child itself
	}
}

// finish makes Wait return. Signalled says that a signal of ours reached the child before it was waited for.
func (c *Child) finish(r Result, signalled bool, err error) {
	c.mu.Lock()
	if c.ended {
		c.mu.Unlock()
		return
	}
	// A child that exited although we killed it was quicker: its result is as good as any. How a program ends
	// on SIGQUIT, on the other hand, is its own affair (Go's exit with status 2).
	if err == nil && signalled && (r.Signal != 0 || c.asked || !showsSignals) {
		err = c.why
	}
	if err != nil {
		err = fmt.Errorf("launch: %s (pid %d): %w", c.path, r.Pid, err)
	}
	c.ended, c.result, c.err = true, r, err
	release := c.release
	c.release = nil
	c.mu.Unlock()
	c.shut()
	close(c.done)
	for _, stop := range release {
		stop()
	}
}
