package sched

import (
	"reflect"
	"testing"

	"golang.org/x/exp/trace"
)

// TestCut: where the trace has a clock, what happens between its marks and the limits of the window is excluded, such
// as the system call that writes the marks. A clock that is read again moves the end, but not before what was counted.
func TestCut(t *testing.T) {
	const none, new, runnable, running, waiting, syscall = trace.GoUndetermined, trace.GoNotExist, trace.GoRunnable, trace.GoRunning, trace.GoWaiting, trace.GoSyscall
	const ahead = 5000                        // of the clock of the window
	for _, again := range []int{0, 3, -100} { // by which the end has moved when the clock is read again
		s := newScript(t)
		s.window = window(1, 80)
		s.window.Begin, s.window.End = ahead+110, ahead+190
		s.setLimits(nil)
		s.setLimits(&trace.ClockSnapshot{Trace: 50, Mono: ahead + 50})
		s.move(60, 1, none, running, "", nil, nil)
		s.move(61, 2, none, running, "", nil, nil)
		event(s, 90, 1, trace.Log{Task: trace.NoTask, Category: logCategory, Message: "begin 7"}, "testing.mark", "testing.(*B).launch")
		early := []string{"sync.(*Mutex).Lock", "m.early", "m.work"}
		step := func(at, g int, from, to trace.GoState, reason string, stack ...string) {
			s.cut(trace.Time(at)) // as for any event
			if st := trace.MakeGoStateTransition(trace.GoID(g), from, to); !s.over {
				st.Reason, st.Stack = reason, stackOf(stack...)
				s.tally.change(&st, trace.Time(at), stackOf())
			}
		}
		step(100, 2, running, waiting, "sync", early...)
		step(120, 2, waiting, runnable, "")
		step(125, 2, runnable, running, "")
		step(170, 2, running, waiting, "sleep", "time.Sleep", "m.late", "m.work")
		if again != 0 {
			s.setLimits(&trace.ClockSnapshot{Trace: trace.Time(60 + again), Mono: ahead + 60})
		}
		step(195, 1, running, syscall, "", "syscall.write", "testing.flush", "testing.(*B).launch")
		step(199, 1, syscall, running, "")
		event(s, 205, 1, trace.Log{Task: trace.NoTask, Category: logCategory, Message: "end 10"})
		s.settleAll()
		end := max(190+again, 170)
		if !s.whole || s.begin != 110 || int(s.end) != end || s.cpu != 3 || s.goroutines[1].running != int64(end-110) {
			t.Fatalf("%d: %d to %d, cpu %d, %+v", again, s.begin, s.end, s.cpu, s.goroutines[1].spent)
		}
		got := map[string]int64{}
		for k, x := range s.waits {
			got[k.cause+" "+k.at.Func] += x.ns
		}
		want := map[string]int64{"lock m.early": 10, "runnable ": 5, "sleep m.late": int64(end - 170)}
		if end == 170 {
			delete(want, "sleep m.late")
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d: %v, want %v", again, got, want)
		}
	}
}
