package sched

import (
	"cmp"
	"slices"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// maxSites is the maximum number of sites in an attachment.
const maxSites = 50

// isBlocked reports whether a cause is a part of blocked time.
func isBlocked(cause string) bool { return cause != record.WaitSyscall && cause != record.WaitRunnable }

// causes returns the sums by cause, in the order of [record.WaitCauses].
func (ws waitSums) causes() []record.WaitCause {
	sums := map[string]record.WaitCause{}
	for k, s := range ws {
		c := sums[k.cause]
		sums[k.cause] = record.WaitCause{Cause: k.cause, Count: c.Count + s.count, Time: c.Time + s.ns, Own: c.Own + s.own}
	}
	var out []record.WaitCause
	for _, name := range record.WaitCauses() {
		if c, ok := sums[name]; ok {
			out = append(out, c)
		}
	}
	return out
}

// sites returns the places with the most time.
func (ws waitSums) sites() []record.WaitSite {
	var out []record.WaitSite
	for k, s := range ws {
		if k.cause == record.WaitRunnable {
			continue
		}
		site := record.WaitSite{
			WaitCause: record.WaitCause{Cause: k.cause, Count: s.count, Time: s.ns, Own: s.own}, At: k.at, Path: s.path,
		}
		if k.by != (record.WaitPlace{}) {
			site.By = &k.by
		}
		out = append(out, site)
	}
	slices.SortFunc(out, func(a, b record.WaitSite) int { return compareSites(&a, &b) })
	return out[:min(len(out), maxSites)]
}

// compareSites puts sites with more time first.
func compareSites(a, b *record.WaitSite) int {
	return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Cause, b.Cause), comparePlaces(&a.At, &b.At), comparePlaces(a.By, b.By))
}

// comparePlaces orders places; nil is like one that is not known.
func comparePlaces(a, b *record.WaitPlace) int {
	var none record.WaitPlace
	a, b = cmp.Or(a, &none), cmp.Or(b, &none)
	return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Op, b.Op))
}

// waitValues returns the figures of one window by cause, and the times of the benchmark's own goroutine. per is the
// factor from the traced part to an operation.
func (t *tally) waitValues(per float64) record.Values {
	times := map[string]int64{}
	var blocked, syscall, runnable int64
	for _, c := range t.waits.causes() {
		times[c.Cause] = c.Time
		switch c.Cause {
		case record.WaitSyscall:
			syscall = c.Own
		case record.WaitRunnable:
			runnable = c.Own
		default:
			blocked += c.Own
		}
	}
	var out record.Values
	for _, cause := range record.WaitCauses() {
		if isBlocked(cause) {
			out = append(out, record.Value{Unit: "sched-blocked-" + cause + "-ns/op", Value: float64(times[cause]) * per})
		}
	}
	return append(out,
		record.Value{Unit: "sched-wall-running-ns/op", Value: float64(t.ownRunning()) * per},
		record.Value{Unit: "sched-wall-runnable-ns/op", Value: float64(runnable) * per},
		record.Value{Unit: "sched-wall-blocked-ns/op", Value: float64(blocked) * per},
		record.Value{Unit: "sched-wall-syscall-ns/op", Value: float64(syscall) * per},
	)
}

// ownRunning returns for how long the benchmark's own goroutine ran, in ns.
func (t *tally) ownRunning() int64 {
	if g := t.goroutines[t.own]; g != nil {
		return g.running
	}
	return 0
}

// measured returns how much of the window is in the trace by the clock of the window, in ns.
func (t *tally) measured(w profiler.Window) int64 {
	if t.whole {
		return w.End - w.Begin
	}
	return min(t.traced(), w.End-w.Begin)
}

// addWaits adds what a window's goroutines waited for.
func (t *total) addWaits(x *tally) {
	if t.waits == nil {
		t.waits = waitSums{}
	}
	for k, s := range x.waits {
		t.waits.join(k, s)
	}
	t.ownRunning += x.ownRunning()
}

// waitTable returns what goroutines waited for. Sums are those of the trace, not scaled.
func (t *total) waitTable() record.Waits {
	out := record.Waits{
		Windows: t.Windows, Ops: t.Ops, Wall: t.Wall, Traced: t.share(), OwnRunning: t.ownRunning,
		Rest: t.traced - t.ownRunning, Causes: t.waits.causes(), Sites: t.waits.sites(),
	}
	for _, c := range out.Causes {
		out.Rest -= c.Own
	}
	return out
}
