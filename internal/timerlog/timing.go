package timerlog

import (
	"math"

	"github.com/tarebench/tare/internal/profiler"
)

// Timing is when what a profiler sees counts: in the measured iterations, while the timer
// ran. Both lists are in the order of time, and apart.
type Timing struct {
	Windows []Span  // the iterations; none: all of the time counts
	Ran     []Span  // what of them counts
	Ops     int64   // operations meanwhile
	Stood   float64 // share of the windows' time in which the timer did not run, 0 to 1; of what there are notes of
	Noted   float64 // share of the windows' time that there are notes of, 0 to 1
}

// unnoted is the share of an iteration behind its last note from which on it is taken
// for one whose notes are not complete. Others end with the window, but for the way
// from one clock to the other.
const unnoted = 0.01

// Timed is when what is seen counts, by the windows and by notes of when the timer ran. If
// there are none of any window all of them counts. Else the part of a window that lies
// behind its last note does not, and it is taken to have its share of the operations.
func Timed(windows []profiler.Window, notes []Span) Timing {
	var t Timing
	var all, noted, ran, ops float64
	for _, w := range windows {
		s := Span{w.Begin, w.End}
		t.Windows = append(t.Windows, s)
		t.Ops += w.Ops
		mine := Overlap(notes, s)
		all += s.length()
		if w.Rough || len(mine) == 0 { // a rough one has runs in it that there are no marks of
			continue
		}
		t.Ran = append(t.Ran, mine...)
		share := Span{s.Begin, mine[len(mine)-1].End}.length() / s.length()
		if share > 1-unnoted {
			share = 1
		}
		ops += share * float64(w.Ops)
		noted += share * s.length()
		for _, x := range mine {
			ran += x.length()
		}
	}
	t.Windows = apart(t.Windows)
	if len(t.Ran) == 0 {
		t.Ran = t.Windows
		return t
	}
	t.Ran, t.Stood, t.Noted = apart(t.Ran), max(0, noted-ran)/noted, noted/all
	if noted < all {
		t.Ops = int64(math.Round(ops))
	}
	return t
}
