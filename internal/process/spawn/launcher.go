package spawn

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"syscall"

	"github.com/tarebench/tare/internal/golang/helper"
)

// Config says how the launcher is obtained. If the cache cannot be used, the launcher is built for this run only, in a
// temporary directory. tare uses the zero value.
type Config = helper.Config

// Errors of Child.Wait, Launcher.Spawn and Launcher.Run.
var (
	ErrTimeout = errors.New("timed out")             // Spec.Timeout was over
	ErrKilled  = errors.New("killed")                // by Kill or Quit
	ErrGone    = errors.New("the launcher has died") // the child is killed, its usage is lost
	ErrClosed  = errors.New("the launcher is closed")
	ErrHold    = errors.New("a child cannot be held here")
)

// A Launcher starts children. Any number may run at the same time. Its methods may be called concurrently.
type Launcher struct {
	host host
	last atomic.Uint32 // id of the child started last
}

// A host starts and ends processes: the launcher program, or this process itself.
type host interface {
	spawn(c *Child, j *job) error              // returns when c runs; calls c.finish once when it has ended
	signal(c *Child, sig syscall.Signal) error // to the group; nothing happens if it has ended
	peak() int64
	pid() int
	close() error
}

// Start starts the launcher, after building it if the cache has none for this version of tare. ctx limits only
// the start; use Close to end the launcher.
func Start(ctx context.Context, cfg Config) (*Launcher, error) {
	h, err := startHost(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return &Launcher{host: h}, nil
}

// InProcess returns a Launcher that starts children from this process, for use after Start failed with err. It
// measures no peaks (PeakBy gives err as the reason), and its children survive if this process is killed.
func InProcess(err error) *Launcher {
	return &Launcher{host: &inProcess{reason: err}}
}

// Close kills the children that still run, and ends the launcher. Their Wait returns ErrClosed.
func (l *Launcher) Close() error { return l.host.close() }

// Peak returns the launcher's own high-water mark in bytes, 0 without a launcher program. A child's peak below
// it cannot be measured. It is updated whenever a child ends.
func (l *Launcher) Peak() int64 { return l.host.peak() }

// Pid returns the launcher program's process id, 0 without a launcher program.
func (l *Launcher) Pid() int { return l.host.pid() }

// Spawn starts a child and returns when its program runs, or, with Spec.Hold, waits for [Child.Release]. When
// ctx is done, the child and its group are killed.
func (l *Launcher) Spawn(ctx context.Context, spec Spec) (*Child, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("spawn: %s: not started: %w", spec.Path, context.Cause(ctx))
	}
	j, err := spec.job()
	if err != nil {
		return nil, err
	}
	defer j.closeFiles()
	c := &Child{path: spec.Path, id: l.last.Add(1), host: l.host, done: make(chan struct{})}
	if spec.Hold {
		if c.gate, err = j.addGate(); err != nil {
			return nil, err
		}
	}
	if err := l.host.spawn(c, j); err != nil {
		c.closeGate()
		return nil, err
	}
	c.watch(ctx, &spec)
	return c, nil
}

// Run starts a child and waits for it.
func (l *Launcher) Run(ctx context.Context, spec Spec) (Result, error) {
	c, err := l.Spawn(ctx, spec)
	if err != nil {
		return Result{}, err
	}
	return c.Wait()
}
