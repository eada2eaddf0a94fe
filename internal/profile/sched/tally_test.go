package sched

import (
	"reflect"
	"strings"
	"testing"

	"golang.org/x/exp/trace"
)

// script makes events by hand.
type script struct {
	t *testing.T
	*tally
}

func newScript(t *testing.T) *script {
	return &script{t, newTally()}
}

// event adds one; only those of goroutine 1 have a stack.
func event[D trace.EventDetails](s *script, at int, g int, details D, stack ...string) {
	s.t.Helper()
	ev, err := trace.MakeEvent(trace.EventConfig[D]{
		Time: trace.Time(at), Kind: kindOf(details), Goroutine: trace.GoID(g), Proc: trace.NoProc, Thread: trace.NoThread,
		Stack: stackOf(stack...), Details: details,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.addEvent(&ev); err != nil {
		s.t.Fatal(err)
	}
}

func kindOf(details any) trace.EventKind {
	if _, ok := details.(trace.Log); ok {
		return trace.EventLog
	}
	return trace.EventStateTransition
}

func stackOf(funcs ...string) trace.Stack {
	var frames []trace.StackFrame
	for i, f := range funcs {
		frames = append(frames, trace.StackFrame{PC: uint64(i + 1), Func: f, File: "f.go", Line: 1})
	}
	return trace.MakeStack(frames)
}

func (s *script) change(at, g int, from, to trace.GoState, stack ...string) {
	s.t.Helper()
	st := trace.MakeGoStateTransition(trace.GoID(g), from, to)
	st.Stack = stackOf(stack...)
	s.tally.change(&st, trace.Time(at), stackOf("sync.(*WaitGroup).Go", "m.BenchmarkX", "testing.(*B).runN"))
	s.end = trace.Time(at)
}

func (s *script) mark(at int, text string) {
	s.t.Helper()
	event(s, at, 1, trace.Log{Task: trace.NoTask, Category: logCategory, Message: text}, "testing.tareSchedMark", "testing.(*B).runN", "testing.(*B).launch")
}

// TestTally: the time of each goroutine in each state, cut to the window.
func TestTally(t *testing.T) {
	s := newScript(t)
	const none, new, runnable, running, waiting, syscall = trace.GoUndetermined, trace.GoNotExist, trace.GoRunnable, trace.GoRunning, trace.GoWaiting, trace.GoSyscall
	s.change(100, 1, none, running)
	s.change(110, 2, new, runnable, "m.early", "runtime.goexit")
	s.change(120, 2, runnable, running)
	s.change(130, 3, new, runnable, "m.dead")
	s.change(131, 3, runnable, running)
	s.change(140, 3, running, new) // before the window
	s.mark(150, "begin 1000")      // of a timer that is set to zero
	s.mark(200, "begin 5000")
	s.change(210, 2, running, waiting, "m.park", "m.early")
	s.change(215, 4, none, waiting, "m.server") // as it was since the start
	s.change(220, 5, none, runnable, "m.runnable")
	s.change(230, 2, waiting, runnable)
	s.change(245, 2, runnable, running)
	s.change(250, 1, running, syscall, "read", "testing.(*B).launch")
	s.change(257, 1, syscall, running)
	s.change(258, 6, new, runnable, "sync.(*WaitGroup).Go.func1")
	s.change(259, 6, runnable, running)
	s.change(260, 6, running, new)
	s.mark(300, "end 5080")
	if !s.whole || s.cpu != 80 || s.traced() != 100 {
		t.Fatalf("whole %v, cpu %d, %d ns", s.whole, s.cpu, s.traced())
	}
	for _, g := range s.goroutines {
		g.addTime(s.end)
	}
	got := map[string]spent{}
	for _, g := range s.goroutines {
		got[g.began] = g.spent
	}
	want := map[string]spent{
		"testing.(*B).launch":                  {running: 50 + 43, syscall: 7, slices: 1},
		"m.early":                              {running: 10 + 55, blocked: 20, runnable: 15, slices: 2},
		"m.server":                             {blocked: 100},
		"m.runnable":                           {runnable: 100},
		"sync.(*WaitGroup).Go in m.BenchmarkX": {runnable: 1, running: 1, slices: 1},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v,\nwant %+v", got, want)
	}
	for name, g := range got {
		if part := g.tookPart(); part != (name != "m.server") {
			t.Errorf("%s took part: %v", name, part)
		}
	}
}

// TestTallyBadMark: what is not the other half's is no mark, and what is must be whole.
func TestTallyBadMark(t *testing.T) {
	s := newScript(t)
	event(s, 1, 1, trace.Log{Task: trace.NoTask, Category: "other", Message: "begin x"})
	s.mark(2, "end 5") // of nothing
	if s.begun || s.whole {
		t.Errorf("%+v", s.tally)
	}
	ev, err := trace.MakeEvent(trace.EventConfig[trace.Log]{
		Time: 3, Kind: trace.EventLog, Goroutine: 1, Proc: trace.NoProc, Thread: trace.NoThread,
		Details: trace.Log{Task: trace.NoTask, Category: logCategory, Message: "begin"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.addEvent(&ev); err == nil || !strings.Contains(err.Error(), `mark "begin"`) {
		t.Error(err)
	}
}
