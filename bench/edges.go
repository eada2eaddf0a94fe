package bench

// align aligns the workers whose bodies have returned. win.mu is held.
func (win *window) align() {
	for _, w := range win.workers {
		if w.returned {
			w.align()
		}
	}
}

// align moves an edge of a worker's window to the edge of the whole window, if the worker was late because
// it waited for a processor. The edge of the whole window is the time when all workers had been notified.
//
// A worker's window runs from its first Next after the opening to its first Next after the closing, because
// the operation in progress at an edge belongs to neither side. But a worker may also be late because it
// waited for a processor. That time must count: otherwise the rates of many workers on few processors would
// add up to more than the machine can do. A delay longer than two mean operations is taken for such a wait.
func (w *Worker) align() {
	l := &w.own
	if w.win.count > 0 || w.rateState.pacing != nil || w.role.cfg.Batch.given() || l.ops() <= 0 {
		return
	}
	most := 2 * l.ns() / l.ops()
	opens := l.from - w.win.openNotified
	closes := l.to - max(w.win.closeNotified, l.from) // a window that opened after the closing does not end late
	if opens > most {
		l.from = w.win.openNotified
	}
	if closes > most {
		l.to = w.win.closeNotified
	}
}
