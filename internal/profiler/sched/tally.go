package sched

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/exp/trace"
)

// logCategory is the category of the trace events at the beginning and end of the window: "begin CPU" and "end CPU",
// where CPU is the CPU time of the process so far in ns.
const logCategory = "tare"

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
}

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

// tally is the sum of one window.
type tally struct {
	goroutines map[trace.GoID]*goroutine
	begun      bool
	whole      bool // the end of the window is in the trace
	begin, end trace.Time
	cpu0, cpu  int64 // CPU time of the process, at the beginning and in the window, ns; 0: unknown
}

// traced returns how much of the window is in the trace, in ns.
func (t *tally) traced() int64 { return int64(t.end - t.begin) }

// readTrace sums the window of a trace: from its last mark "begin" to the first mark "end" after it, or to the end of
// a trace that stopped before.
func readTrace(r io.Reader) (t *tally, err error) {
	defer func() { // the trace package may panic on a damaged trace
		if p := recover(); p != nil {
			t, err = nil, fmt.Errorf("damaged: %v", p)
		}
	}()
	tr, err := trace.NewReader(r)
	if err != nil {
		return nil, err
	}
	t = &tally{goroutines: map[trace.GoID]*goroutine{}}
	for !t.whole {
		ev, err := tr.ReadEvent()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := t.addEvent(&ev); err != nil {
			return nil, err
		}
	}
	if !t.begun {
		return nil, errors.New("it does not contain the window")
	}
	if t.traced() <= 0 {
		return nil, errors.New("it ends where the window begins")
	}
	for _, g := range t.goroutines {
		g.addTime(t.end)
	}
	return t, nil
}

func (t *tally) addEvent(ev *trace.Event) error {
	t.end = ev.Time()
	switch ev.Kind() {
	case trace.EventStateTransition:
		if st := ev.StateTransition(); st.Resource.Kind == trace.ResourceGoroutine {
			t.change(st, ev.Time(), ev.Stack())
		}
	case trace.EventLog:
		if l := ev.Log(); l.Category == logCategory {
			if g := t.goroutines[ev.Goroutine()]; g != nil && g.began == "" {
				g.began = root(ev.Stack())
			}
			return t.mark(l.Message, ev.Time())
		}
	}
	return nil
}

// change processes a goroutine's change of state. The first event of a goroutine that existed before the trace is its
// state, which it has had since the beginning. by is the stack of the goroutine that caused the change.
func (t *tally) change(st trace.StateTransition, now trace.Time, by trace.Stack) {
	from, to := st.Goroutine()
	id := st.Resource.Goroutine()
	g := t.goroutines[id]
	if g == nil {
		g = &goroutine{state: to, since: t.begin}
		if from == trace.GoNotExist {
			g.since = now
		} else if to == trace.GoRunning {
			g.slices = 1
		}
		t.goroutines[id] = g
	}
	if g.began == "" {
		g.began = root(st.Stack)
		if from == trace.GoNotExist {
			g.began = startedBy(g.began, by)
		}
	}
	if g.state != to {
		g.setState(to, now)
	}
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

func (t *tally) mark(text string, now trace.Time) error {
	ev, number, _ := strings.Cut(text, " ")
	cpu, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return fmt.Errorf("mark %q: %w", text, err)
	}
	switch {
	case ev == "begin":
		t.restart(now)
		t.cpu0 = cpu
	case ev == "end" && t.begun:
		t.cpu, t.whole = cpu-t.cpu0, true
	}
	return nil
}

// restart discards what was before the window.
func (t *tally) restart(now trace.Time) {
	t.begun, t.begin = true, now
	for id, g := range t.goroutines {
		if g.state == trace.GoNotExist {
			delete(t.goroutines, id)
			continue
		}
		g.spent, g.since = spent{}, now
		if g.state == trace.GoRunning {
			g.slices = 1
		}
	}
}
