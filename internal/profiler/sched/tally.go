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

// tally is the sum of one window.
type tally struct {
	goroutines map[trace.GoID]*goroutine
	begun      bool
	whole      bool // the end of the window is in the trace
	begin, end trace.Time
	cpu0, cpu  int64 // CPU time of the process, at the beginning and in the window, ns; 0: unknown

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
	t = newTally()
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
	t.settleAll()
	return t, nil
}

func (t *tally) addEvent(ev *trace.Event) error {
	t.end = ev.Time()
	switch ev.Kind() {
	case trace.EventStateTransition:
		if st := ev.StateTransition(); st.Resource.Kind == trace.ResourceGoroutine {
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
	}
	return nil
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
