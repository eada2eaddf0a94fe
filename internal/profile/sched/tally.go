package sched

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/exp/trace"

	"github.com/tarebench/tare/internal/process/profiler"
)

// logCategory is the category of the trace events at the beginning and end of the window: "begin CPU" and "end CPU",
// where CPU is the CPU time of the process so far in ns.
const logCategory = "tare"

// tally is the sum of one window.
type tally struct {
	goroutines map[trace.GoID]*goroutine
	begun      bool
	whole      bool // the end of the window is in the trace
	begin, end trace.Time
	cpu0, cpu  int64 // CPU time of the process, at the beginning and in the window, ns; 0: unknown

	window profiler.Window
	from   trace.Time // where the window begins by the clocks of trace and window, 0: not known
	to     trace.Time // where the window ends by the clocks of trace and window, 0: not known
	over   bool       // to has been reached

	own    trace.GoID // the benchmark's own goroutine: the one that started the timer
	waits  waitSums
	places map[stackOfCause]placed
}

func newTally() *tally {
	return &tally{goroutines: map[trace.GoID]*goroutine{}, own: trace.NoGoroutine, waits: waitSums{}, places: map[stackOfCause]placed{}}
}

// traced returns how much of the window is in the trace, in ns.
func (t *tally) traced() int64 { return int64(t.end - t.begin) }

// readTrace sums the window of a trace: from its last mark "begin" to the first mark "end" after it, or to the end of
// a trace that stopped before. The marks are a little outside of the window. If the trace has the clock of the window,
// what is between is excluded.
func readTrace(r io.Reader, w profiler.Window) (t *tally, err error) {
	defer func() { // the trace package may panic on a damaged trace
		if p := recover(); p != nil {
			t, err = nil, fmt.Errorf("damaged: %v", p)
		}
	}()
	tr, err := trace.NewReader(r)
	if err != nil {
		return nil, err
	}
	t = newTally()
	t.window = w
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
	t.whole = t.whole || t.over
	t.settleAll()
	return t, nil
}

func (t *tally) addEvent(ev *trace.Event) error {
	t.cut(ev.Time())
	switch ev.Kind() {
	case trace.EventStateTransition:
		if st := ev.StateTransition(); st.Resource.Kind == trace.ResourceGoroutine && !t.over {
			t.change(&st, ev.Time(), ev.Stack())
		}
	case trace.EventLog:
		if l := ev.Log(); l.Category == logCategory {
			if g := t.goroutines[ev.Goroutine()]; g != nil && g.began == "" {
				g.began = root(ev.Stack())
			}
			return t.mark(l.Message, ev.Time(), ev.Goroutine())
		}
	case trace.EventSync: // stacks of the generation that ends do not come again
		clear(t.places)
		t.setLimits(ev.Sync().ClockSnapshot)
	}
	return nil
}

// setLimits computes where the window begins and ends from a time of both clocks. Go before 1.25 has none.
func (t *tally) setLimits(c *trace.ClockSnapshot) {
	if c == nil || c.Mono == 0 || t.window.End == 0 {
		return
	}
	at := func(clock int64) trace.Time { return c.Trace + trace.Time(clock-int64(c.Mono)) }
	if !t.begun || t.from > t.begin { // it has not begun
		t.from = at(t.window.Begin)
	}
	t.to = max(at(t.window.End), t.end) // not before the last event: the two clocks may drift
}

// cut sets the end to the time of an event, but not beyond the window, and begins the window if that is due.
func (t *tally) cut(now trace.Time) {
	if t.over {
		return
	}
	if t.begun && t.from > t.begin && now >= t.from {
		t.restart(t.from)
	}
	if t.end = now; t.begun && t.to > t.begin && now >= t.to {
		t.end, t.over = t.to, true
	}
}

// change processes a goroutine's change of state. The first event of a goroutine that existed before the trace is its
// state, which it has had since the beginning. by is the stack of the goroutine that caused the change.
func (t *tally) change(st *trace.StateTransition, now trace.Time, by trace.Stack) {
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
		t.beginWait(g, to, st)
	}
	if g.began == "" {
		g.began = root(st.Stack)
		if from == trace.GoNotExist {
			g.began = startedBy(g.began, by)
		}
		t.settle(id, g)
	}
	if g.state != to {
		t.endWait(id, g, now, by)
		g.setState(to, now)
		t.beginWait(g, to, st)
	}
}

func (t *tally) mark(text string, now trace.Time, by trace.GoID) error {
	ev, number, _ := strings.Cut(text, " ")
	cpu, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return fmt.Errorf("mark %q: %w", text, err)
	}
	switch {
	case ev == "begin":
		t.over, t.end = false, now
		t.restart(now)
		t.cpu0, t.own = cpu, by
	case ev == "end" && t.begun:
		t.cpu, t.whole = cpu-t.cpu0, true
	}
	return nil
}

// restart discards what was before the window.
func (t *tally) restart(now trace.Time) {
	t.begun, t.begin, t.waits = true, now, waitSums{}
	for id, g := range t.goroutines {
		if g.state == trace.GoNotExist {
			delete(t.goroutines, id)
			continue
		}
		g.spent, g.since, g.ended, g.woken = spent{}, now, nil, false
		if g.state == trace.GoRunning {
			g.slices = 1
		}
	}
}
