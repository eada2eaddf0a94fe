package session

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/tarebench/tare/internal/base/exit"
)

// Signals turns signals that end a process into two stages. At the first signal
// the process (fork) that is running may finish. At the second nothing is
// waited for.
type Signals struct {
	ctx          context.Context
	cancel       context.CancelFunc
	quit         chan struct{}
	callbackDone chan struct{} // closed when the callback for the first signal has returned
	code         int           // exit code, once quit is closed
	stop         func()
}

// exitCodes has the signals that end a run. A terminal that is closed sends
// SIGHUP, unless nohup has it ignored.
var exitCodes = map[os.Signal]int{
	os.Interrupt: exit.Interrupt, syscall.SIGTERM: exit.Terminate, syscall.SIGHUP: exit.Hangup, syscall.SIGPIPE: exit.Pipe,
}

// CatchSignals begins to catch signals until Stop. first is called at the first one.
func CatchSignals(first func(os.Signal)) *Signals {
	s := &Signals{quit: make(chan struct{}), callbackDone: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	endings := make(chan os.Signal, 2)
	for sig := range exitCodes {
		if sig != syscall.SIGPIPE && !signal.Ignored(sig) {
			signal.Notify(endings, sig)
		}
	}
	// Writing to a pipe without a reader then returns an error instead of raising the signal, which leaves time to
	// clean up.
	pipes := make(chan os.Signal, 1)
	signal.Notify(pipes, syscall.SIGPIPE)
	done := make(chan struct{})
	go s.watch(endings, pipes, done, first)
	s.stop = func() { signal.Stop(endings); signal.Stop(pipes); close(done); s.cancel() }
	return s
}

// CatchBetweenForks is CatchSignals for a run of forks, whose progress says what the first signal does.
func CatchBetweenForks(p *Progress) *Signals {
	return CatchSignals(func(sig os.Signal) { p.Note("%s: finishing the fork in hand; once more stops at once", sig) })
}

// SignalsOf takes the end of a context for the first signal. There is no second one.
func SignalsOf(ctx context.Context) *Signals {
	s := &Signals{quit: make(chan struct{}), callbackDone: make(chan struct{}), code: exit.Interrupt}
	s.ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	unwatch := context.AfterFunc(ctx, func() { close(s.quit); close(s.callbackDone) })
	s.stop = func() { unwatch(); s.cancel() }
	return s
}

func (s *Signals) watch(endings, pipes <-chan os.Signal, done <-chan struct{}, first func(os.Signal)) {
	end := func(sig os.Signal) {
		if s.Caught() {
			s.cancel()
			return
		}
		s.code = exitCodes[sig]
		close(s.quit) // before the callback tells the user: once that is read, no further process may start
		first(sig)
		close(s.callbackDone)
	}
	for s.ctx.Err() == nil {
		select {
		case sig := <-endings:
			end(sig)
		case sig := <-pipes:
			if isClosedPipe(os.Stderr) && !s.Caught() { // the reader of the progress has ended: tare bench 2>&1 | head
				end(sig)
			}
		case <-done:
			return
		}
	}
}

// Stop gives the signals back to the system.
func (s *Signals) Stop() { s.stop() }

// Context returns the context that ends at the second signal.
func (s *Signals) Context() context.Context { return s.ctx }

// Quit returns the channel that is closed at the first signal.
func (s *Signals) Quit() <-chan struct{} { return s.quit }

// Caught reports whether the first signal has come.
func (s *Signals) Caught() bool {
	select {
	case <-s.quit:
		return true
	default:
		return false
	}
}

// ExitError returns the error that ends the command with the code of the signal
// that was caught, once the callback has returned. It blocks until then, and for ever if no signal was caught.
func (s *Signals) ExitError() error {
	<-s.callbackDone
	return exit.Silent(s.code)
}

// FirstContext returns a context that ends at the first signal, for what comes
// before the processes that count.
func (s *Signals) FirstContext() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(s.ctx)
	go func() {
		select {
		case <-s.quit:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
