package timerlog

import (
	"math"

	"github.com/tarebench/tare/internal/process/profiler"
)

// Timing says when a profiler's samples count: in the measured iterations, while the timer ran. Both lists are
// disjoint and sorted by time.
type Timing struct {
	Windows []Span  // the iterations; none: all time counts
	Ran     []Span  // parts of them that count
	Ops     int64   // operations meanwhile
	Stopped float64 // share of the logged time in which the timer was stopped, 0 to 1
	Logged  float64 // share of the windows' time that is logged, 0 to 1
}

// maxUnlogged is the share of an iteration after its last logged time from which on its log counts as incomplete.
// A complete log ends with the window, within the error between the two clocks.
const maxUnlogged = 0.01

// NewTiming returns when samples count, given the windows and the log. If no window has a log, all windows count.
// Otherwise the part of a window after its last logged time does not count, and the operations are reduced by
// its share.
func NewTiming(windows []profiler.Window, log []Span) Timing {
	var t Timing
	var all, noted, ran, ops float64
	for _, w := range windows {
		s := Span{w.Begin, w.End}
		t.Windows = append(t.Windows, s)
		t.Ops += w.Ops
		mine := Overlap(log, s)
		all += s.length()
		if w.Approximate || len(mine) == 0 { // a rough window contains runs without marks
			continue
		}
		t.Ran = append(t.Ran, mine...)
		share := Span{s.Begin, mine[len(mine)-1].End}.length() / s.length()
		if share > 1-maxUnlogged {
			share = 1
		}
		ops += share * float64(w.Ops)
		noted += share * s.length()
		for _, x := range mine {
			ran += x.length()
		}
	}
	t.Windows = mergeSpans(t.Windows)
	if len(t.Ran) == 0 {
		t.Ran = t.Windows
		return t
	}
	t.Ran, t.Stopped, t.Logged = mergeSpans(t.Ran), max(0, noted-ran)/noted, noted/all
	if noted < all {
		t.Ops = int64(math.Round(ops))
	}
	return t
}
