package bench

// align aligns the workers whose bodies have come back. The window is locked.
func (win *window) align() {
	for _, w := range win.workers {
		if w.back {
			w.align()
		}
	}
}

// align sets the edges of a worker's window to those of all where only waiting
// for a processor has kept it from them: to when all had been told, since the
// teller may have had to wait as well.
//
// A worker's window runs from its first Next after the opening to its first after
// the closing, because the operation that it is in at an edge belongs to neither
// side. But one that had no processor then is late as well, and the time in which
// it waited counts: left out, many workers on few processors, each counted while
// it ran, would add up to more than the machine can do. What tells the two apart
// is how long its operations take: one that explains the delay is within it.
func (w *Worker) align() {
	l := &w.own
	if w.win.count > 0 || w.turn.pacing != nil || w.role.cfg.Batch.given() || l.ops() <= 0 {
		return
	}
	most := 2 * l.ns() / l.ops()
	opens := l.from - w.win.openTold
	closes := l.to - max(w.win.closeTold, l.from) // the end of what began after the closing is not late
	if opens > most {
		l.from = w.win.openTold
	}
	if closes > most {
		l.to = w.win.closeTold
	}
}
