package bench

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// run is a worker's goroutine. The functions that it calls may panic or end the goroutine, as
// testing.B.FailNow does. Deferred calls make sure that every step is taken, so that no other goroutine
// waits for this worker forever.
func (w *Worker) run() {
	defer w.exit()
	if w.role.cfg.LockThread {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	defer w.runTeardown()
	defer w.bodyReturned()
	w.goroutine = goroutineID()
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

// bodyReturned finishes a worker whose body has returned.
func (w *Worker) bodyReturned() {
	w.guard("", w.settle)
	w.win.mu.Lock()
	defer w.win.mu.Unlock()
	w.returned = true
	if w.win.bodiesRunning--; w.win.bodiesRunning == 0 {
		w.win.returned.fire()
	}
}

// settle ends the worker's window if Next has not. It returns an error if the body returned too early.
func (w *Worker) settle() error {
	if w.stage != running || w.err != nil {
		return nil
	}
	w.n = w.calls()
	phase := w.win.now()
	switch {
	case w.finished:
		return nil
	case phase > closing && w.n == 0:
		return errors.New("the body returned without calling Next")
	case phase > closing:
		return errors.New("the body returned before the window closed")
	}
	w.finish()
	return nil
}

// runTeardown runs Teardown after all bodies have returned.
func (w *Worker) runTeardown() {
	<-w.win.teardown.ch
	if f := w.role.cfg.Teardown; f != nil && w.ready && !w.isAbandoned() {
		w.stage = tearingDown
		w.guard("teardown", func() error { return f(w) })
	}
}

func (w *Worker) isAbandoned() bool {
	w.win.mu.Lock()
	defer w.win.mu.Unlock()
	return w.abandoned
}

func (w *Worker) exit() {
	if !w.isAbandoned() {
		w.win.exited.Done()
	}
}

// guard calls f and stops the window if f fails, panics or ends the goroutine. what names f in messages.
func (w *Worker) guard(what string, f func() error) {
	ended := false
	defer func() {
		if ended {
			return
		}
		if r := recover(); r != nil {
			w.fail(what, fmt.Errorf("panic: %v%s", r, panicLocation()))
		} else {
			w.fail(what, errors.New("ended its goroutine: call FailNow, SkipNow and Goexit only in the benchmark's own goroutine"))
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

// panicLocation returns, in a deferred function, where the panic came from: " (queue_test.go:41)".
func panicLocation() string {
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
