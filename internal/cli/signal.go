package cli

import (
	"context"
	"errors"
	"io/fs"
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

// endings are the signals that end a run, and the exit codes they call for. A terminal that
// is closed sends SIGHUP, unless nohup has it ignored.
var endings = map[os.Signal]int{os.Interrupt: exitInt, syscall.SIGTERM: exitTerm, syscall.SIGHUP: exitHup, syscall.SIGPIPE: exitPipe}

func catchSignals(told func(os.Signal)) *interrupt {
	ctx, cancel := context.WithCancel(context.Background())
	i := &interrupt{ctx: ctx, quit: make(chan struct{})}
	ch := make(chan os.Signal, 2)
	for sig := range endings {
		if sig != syscall.SIGPIPE && !signal.Ignored(sig) {
			signal.Notify(ch, sig)
		}
	}
	// Who writes to a pipe that nobody reads gets an error rather than a signal, and can tidy up.
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	done := make(chan struct{})
	end := func(s os.Signal) {
		if i.quitting() {
			cancel()
			return
		}
		i.code = endings[s]
		told(s)
		close(i.quit)
	}
	go func() {
		for i.ctx.Err() == nil {
			select {
			case s := <-ch:
				end(s)
			case s := <-pipes:
				if closedPipe(os.Stderr) && !i.quitting() { // nobody sees how far it is: tare bench 2>&1 | head
					end(s)
				}
			case <-done:
				return
			}
		}
	}()
	i.stop = func() { signal.Stop(ch); signal.Stop(pipes); close(done); cancel() }
	return i
}

// unread tells the error of standard output, or standard error, that nobody reads any more,
// as of tare | head.
func unread(err error) bool {
	p := (*fs.PathError)(nil)
	return errors.As(err, &p) && errors.Is(p.Err, syscall.EPIPE) && (p.Path == os.Stdout.Name() || p.Path == os.Stderr.Name())
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
