package sched

import (
	"golang.org/x/exp/trace"

	"github.com/tarebench/tare/record"
)

// wait is what a goroutine waits for.
type wait struct {
	cause string // "": it does not wait
	placed
}

// placed is a place, and its callers.
type placed struct {
	at   record.WaitPlace
	path []string
}

// ended is a wait that has ended.
type ended struct {
	wait
	by record.WaitPlace // zero: a timer or the scheduler
	ns int64
}

// waitKey is what waits have in common that are summed up.
type waitKey struct {
	cause  string
	at, by record.WaitPlace
}

// waitSum is the sum of such waits.
type waitSum struct {
	count, ns, own, longest int64
	path                    []string // of the longest
}

// waitSums are the waits of a window.
type waitSums map[waitKey]*waitSum

func (ws waitSums) add(e *ended, own bool) {
	k := waitKey{e.cause, e.at, e.by}
	if own && k.cause == record.WaitWaitGroup {
		k.cause = record.WaitWorkers
	}
	s := waitSum{count: 1, ns: e.ns, longest: e.ns, path: e.path}
	if own {
		s.own = e.ns
	}
	ws.join(k, &s)
}

func (ws waitSums) join(k waitKey, s *waitSum) {
	into := ws[k]
	if into == nil {
		into = &waitSum{}
		ws[k] = into
	}
	into.count += s.count
	into.ns += s.ns
	into.own += s.own
	if s.longest >= into.longest {
		into.longest, into.path = s.longest, s.path
	}
}

// beginWait notes what a goroutine waits for whose state has become the given one.
func (t *tally) beginWait(g *goroutine, state trace.GoState, st *trace.StateTransition) {
	switch state {
	case trace.GoWaiting:
		cause := causeOf(st.Reason, st.Stack)
		g.wait = wait{cause, t.place(st.Stack, cause)}
	case trace.GoSyscall:
		g.wait = wait{record.WaitSyscall, t.place(st.Stack, record.WaitSyscall)}
	case trace.GoRunnable:
		g.wait = wait{cause: record.WaitRunnable}
	default:
		g.wait = wait{}
	}
}

// endWait adds the wait of a goroutine that ends now. by is the stack of the goroutine that ended it.
func (t *tally) endWait(id trace.GoID, g *goroutine, now trace.Time, by trace.Stack) {
	if g.cause == "" {
		return
	}
	e := ended{wait: g.wait, ns: int64(now - g.since)}
	if g.state == trace.GoWaiting {
		g.woken = true
		e.by = t.place(by, "").at
	}
	g.wait = wait{}
	g.ended = append(g.ended, e)
	t.settle(id, g)
}

// settle adds the waits of a goroutine that have ended, as soon as it is known where it began: those of the runtime's
// goroutines are excluded.
func (t *tally) settle(id trace.GoID, g *goroutine) {
	if g.began == "" {
		return
	}
	if !g.ofRuntime() && !g.ofTracer() {
		for i := range g.ended {
			t.waits.add(&g.ended[i], id == t.own)
		}
	}
	g.ended = g.ended[:0]
}

// settleAll adds the waits that go on at the end of the window.
func (t *tally) settleAll() {
	for id, g := range t.goroutines {
		open := int64(t.end - g.since)
		g.addTime(t.end)
		if !g.tookPart() || g.ofRuntime() || g.ofTracer() {
			continue
		}
		if g.cause != "" && open > 0 {
			g.ended = append(g.ended, ended{wait: g.wait, ns: open})
		}
		for i := range g.ended {
			t.waits.add(&g.ended[i], id == t.own)
		}
	}
}

// place returns the place of a stack. Stacks of one generation of the trace repeat.
func (t *tally) place(s trace.Stack, cause string) placed {
	k := stackOfCause{s, cause}
	p, ok := t.places[k]
	if !ok {
		p.at, p.path = placeOf(s, cause)
		t.places[k] = p
	}
	return p
}

// stackOfCause is a stack at which a goroutine waited, or "" that ended a wait.
type stackOfCause struct {
	stack trace.Stack
	cause string
}
