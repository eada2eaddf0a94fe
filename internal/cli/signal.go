package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// interrupt turns signals into two stages: at the first, quit is closed and the
// fork in hand may finish; at the second, ctx ends and nothing is waited for.
type interrupt struct {
	ctx  context.Context
	quit chan struct{}
	code int // exit code, once quit is closed
	stop func()
}

func catchSignals(told func(os.Signal)) *interrupt {
	ctx, cancel := context.WithCancel(context.Background())
	i := &interrupt{ctx: ctx, quit: make(chan struct{})}
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for first := true; ; first = false {
			select {
			case s := <-ch:
				if !first {
					cancel()
					return
				}
				i.code = exitInt
				if s == syscall.SIGTERM {
					i.code = exitTerm
				}
				told(s)
				close(i.quit)
			case <-done:
				return
			}
		}
	}()
	i.stop = func() { signal.Stop(ch); close(done); cancel() }
	return i
}

// quitting reports whether the first signal has come.
func (i *interrupt) quitting() bool {
	select {
	case <-i.quit:
		return true
	default:
		return false
	}
}

// early is a context that ends at the first signal, for what comes before the
// forks that count.
func (i *interrupt) early() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(i.ctx)
	go func() {
		select {
		case <-i.quit:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
