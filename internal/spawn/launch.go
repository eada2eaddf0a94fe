package spawn

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"syscall"
)

// Config says how the launcher is obtained. The zero value is what tare uses.
type Config struct {
	// CacheDir keeps the built launcher, about 1.3 MB. Default: tare in os.UserCacheDir(). If it cannot be used,
	// the launcher is built for this run only, in a temporary directory.
	CacheDir string

	// Go is the go command that builds the launcher when the cache has none. Default: "go".
	Go string
}

// Errors that a caller may want to tell apart, from Child.Wait and Launcher.Run.
var (
	ErrTimeout = errors.New("timed out")             // Spec.Timeout was over
	ErrKilled  = errors.New("killed")                // by Kill or Quit
	ErrGone    = errors.New("the launcher has died") // the child is killed, its usage is lost
	ErrClosed  = errors.New("the launcher is closed")
	ErrHold    = errors.New("a child cannot be held here")
)

// A Launcher starts children. Any number may run at the same time, and its methods may be called concurrently.
type Launcher struct {
	host host
	last atomic.Uint32 // id of the child started last
}

// host is what starts and ends processes: the launcher program, or this process itself.
type host interface {
	spawn(c *Child, j *job) error              // returns when c runs; calls c.finish once when it has ended
	signal(c *Child, sig syscall.Signal) error // to the group; nothing happens if it has ended
	peak() int64
	pid() int
	close() error
}

// Start builds the launcher if the cache has none for this version of tare, and starts it. The context governs
// starting only; use Close to end it.
func Start(ctx context.Context, cfg Config) (*Launcher, error) {
	h, err := startHost(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return &Launcher{host: h}, nil
}

// Plain returns a Launcher that starts children from this process, for when Start fails with err. It
// measures no peaks (PeakBy gives err as the reason), and children outlive this process if that is killed.
func Plain(err error) *Launcher {
	return &Launcher{host: &plain{why: err}}
}

// Close kills the children that still run, and ends the launcher. Their Wait returns ErrClosed.
func (l *Launcher) Close() error { return l.host.close() }

// Peak is the launcher's own high-water mark in bytes, 0 if there is no launcher program. No child's peak
// below it can be seen. It is brought up to date whenever a child ends.
func (l *Launcher) Peak() int64 { return l.host.peak() }

// Pid is the launcher program's process, 0 if there is none.
func (l *Launcher) Pid() int { return l.host.pid() }

// Spawn starts a child and returns when its program has been executed, or with Spec.Hold is about to be. The child is killed, with its group,
// when ctx is done.
func (l *Launcher) Spawn(ctx context.Context, spec Spec) (*Child, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("launch: %s: not started: %w", spec.Path, context.Cause(ctx))
	}
	j, err := spec.job()
	if err != nil {
		return nil, err
	}
	defer j.release()
	c := &Child{path: spec.Path, id: l.last.Add(1), host: l.host, done: make(chan struct{})}
	if spec.Hold {
		if c.gate, err = j.hold(); err != nil {
			return nil, err
		}
	}
	if err := l.host.spawn(c, j); err != nil {
		c.shut()
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
