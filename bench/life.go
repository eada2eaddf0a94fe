package bench

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// live is the life of a worker's goroutine. What is called in it may panic, and
// may end the goroutine as testing.B.FailNow does; each step is taken
// nevertheless, so that nobody waits for this worker in vain.
func (w *Worker) live() {
	defer w.part()
	if w.role.cfg.LockThread {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	defer w.tidy()
	defer w.comeBack()
	w.goid = goroutineID()
	w.prepare()
	<-w.win.start.ch
	w.work()
}

// prepare runs Setup.
func (w *Worker) prepare() {
	defer w.win.ready.Done()
	if f := w.role.cfg.Setup; f != nil {
		w.guard("setup", func() error { return f(w) })
	}
	w.ready = w.err == nil
}

// work runs the body.
func (w *Worker) work() {
	if w.win.now() == over {
		return
	}
	w.stage = running
	w.guard("", func() error {
		w.role.cfg.Body(w)
		return nil
	})
}

// comeBack accounts for a body that has returned.
func (w *Worker) comeBack() {
	w.guard("", w.settle)
	w.win.mu.Lock()
	defer w.win.mu.Unlock()
	w.back = true
	if w.win.out--; w.win.out == 0 {
		w.win.back.fire()
	}
}

// settle ends the worker's window if Next has not, and finds out why.
func (w *Worker) settle() error {
	if w.stage != running || w.err != nil {
		return nil
	}
	phase := w.win.now()
	switch {
	case w.said:
		return nil
	case phase > closing && w.n == 0:
		return errors.New("the body returned without asking Next")
	case phase > closing:
		return errors.New("the body returned before the window closed")
	}
	w.leave()
	return nil
}

// tidy runs Teardown, once all bodies are back.
func (w *Worker) tidy() {
	<-w.win.clear.ch
	if f := w.role.cfg.Teardown; f != nil && w.ready && !w.givenUp() {
		w.stage = clearing
		w.guard("teardown", func() error { return f(w) })
	}
}

func (w *Worker) givenUp() bool {
	w.win.mu.Lock()
	defer w.win.mu.Unlock()
	return w.given
}

func (w *Worker) part() {
	if !w.givenUp() {
		w.win.gone.Done()
	}
}

// guard calls f and stops the window if f fails in any way. What f is, is said
// in messages.
func (w *Worker) guard(what string, f func() error) {
	ended := false
	defer func() {
		if ended {
			return
		}
		if r := recover(); r != nil {
			w.fail(what, fmt.Errorf("panic: %v%s", r, panicked()))
		} else {
			w.fail(what, errors.New("ended its goroutine: FailNow, SkipNow and their kin belong to the benchmark's own goroutine"))
		}
	}()
	err := f()
	ended = true
	if err != nil {
		w.fail(what, err)
	}
}

func (w *Worker) fail(what string, err error) {
	if what != "" {
		what += ": "
	}
	w.err = fmt.Errorf("%s: %s%w", w.name(), what, err)
	w.win.stop(w.err)
}

// panicked tells, in a deferred function, where the panic came from:
// " (queue_test.go:41)".
func panicked() string {
	pc := make([]uintptr, 64)
	frames := runtime.CallersFrames(pc[:runtime.Callers(2, pc)])
	seen := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			seen = true
		case seen && !strings.HasPrefix(f.Function, "runtime.") && !strings.HasPrefix(f.Function, ownFrames):
			return fmt.Sprintf(" (%s:%d)", filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}
