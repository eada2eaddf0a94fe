package sched

import (
	"strings"

	"golang.org/x/exp/trace"
)

// spent is how a goroutine spent the window, in ns.
type spent struct {
	running, runnable, blocked, syscall int64

	slices int64 // periods of running
}

func (s *spent) add(o spent) {
	s.running += o.running
	s.runnable += o.runnable
	s.blocked += o.blocked
	s.syscall += o.syscall
	s.slices += o.slices
}

// tookPart reports whether the goroutine was not blocked all the time.
func (s *spent) tookPart() bool { return s.running+s.runnable+s.syscall > 0 }

// goroutine is the state of a goroutine in the trace.
type goroutine struct {
	spent
	began string // function in which it began
	state trace.GoState
	since trace.Time // start of that state, but not before the window

	wait          // in that state
	ended []ended // waits that are not in the sums yet
	woken bool    // a wait for something else than a P has ended
}

// tookPart reports whether the goroutine was not blocked all the time.
func (g *goroutine) tookPart() bool { return g.woken || g.spent.tookPart() }

// addTime adds the time until now.
func (g *goroutine) addTime(now trace.Time) {
	d := int64(now - g.since)
	switch g.state {
	case trace.GoRunning:
		g.running += d
	case trace.GoRunnable:
		g.runnable += d
	case trace.GoWaiting:
		g.blocked += d
	case trace.GoSyscall:
		g.syscall += d
	}
	g.since = now
}

// setState changes the state.
func (g *goroutine) setState(state trace.GoState, now trace.Time) {
	g.addTime(now)
	if state == trace.GoRunning && g.state != trace.GoSyscall {
		g.slices++
	}
	g.state = state
}

// root returns the function in which a goroutine began, from any of its stacks.
func root(s trace.Stack) (name string) {
	for f := range s.Frames() {
		if f.Func != "runtime.goexit" {
			name = f.Func
		}
	}
	return name
}

// startedBy names a goroutine that began in a closure of a method Go, such as that of sync.WaitGroup, after the method
// and its caller.
func startedBy(name string, by trace.Stack) string {
	method, ok := strings.CutSuffix(name, ".Go.func1")
	if !ok {
		return name
	}
	method += ".Go"
	inside := false
	for f := range by.Frames() {
		if inside && f.Func != method {
			return method + " in " + f.Func
		}
		inside = inside || f.Func == method
	}
	return name
}

// ofTracer reports whether a goroutine belongs to the tracer: one writes the trace to its file, and two of the runtime
// serve it.
func (g *goroutine) ofTracer() bool {
	for _, prefix := range []string{"runtime/trace.", "runtime.trace", "runtime.(*trace"} {
		if strings.HasPrefix(g.began, prefix) {
			return true
		}
	}
	return false
}

// ofRuntime reports whether a goroutine belongs to the runtime. Its waiting is independent of the benchmark.
func (g *goroutine) ofRuntime() bool {
	return strings.HasPrefix(g.began, "runtime.") && g.began != "runtime.main"
}
