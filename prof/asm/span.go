package asm

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarebench/tare/prof"
)

// span is a stretch of time: CLOCK_MONOTONIC ns, the end is not in it.
type span struct{ begin, end int64 }

func (s span) length() float64 { return float64(s.end - s.begin) }

// apart puts spans into the order of time and makes one of those that touch each other.
func apart(list []span) []span {
	slices.SortFunc(list, func(x, y span) int { return cmp.Or(cmp.Compare(x.begin, y.begin), cmp.Compare(x.end, y.end)) })
	out := list[:0]
	for _, s := range list {
		switch last := len(out) - 1; {
		case s.end <= s.begin:
		case last >= 0 && s.begin <= out[last].end:
			out[last].end = max(out[last].end, s.end)
		default:
			out = append(out, s)
		}
	}
	return out
}

// holds reports whether a time is in one of the spans, which are apart.
func holds(list []span, t int64) bool {
	i, _ := slices.BinarySearchFunc(list, t, func(s span, t int64) int { return cmp.Compare(s.end, t+1) })
	return i < len(list) && list[i].begin <= t
}

// overlap is what of the spans, which are apart, lies in w.
func overlap(list []span, w span) (out []span) {
	i, _ := slices.BinarySearchFunc(list, w.begin, func(s span, t int64) int { return cmp.Compare(s.end, t+1) })
	for ; i < len(list) && list[i].begin < w.end; i++ {
		if s := (span{max(list[i].begin, w.begin), min(list[i].end, w.end)}); s.begin < s.end {
			out = append(out, s)
		}
	}
	return out
}

// timing is when samples count: in the measured iterations, while the timer ran.
type timing struct {
	windows []span  // the iterations; none: all of the time counts
	ran     []span  // what of them counts
	ops     int64   // operations meanwhile
	stood   float64 // share of the windows' time in which the timer did not run; of what there are notes of
	noted   float64 // share of the windows' time that there are notes of
}

// unnoted is the share of an iteration behind its last note from which on it is taken
// for one whose notes are not complete. Others end with the window, but for the way
// from one clock to the other.
const unnoted = 0.01

// timed is when samples count, by the windows and by notes of when the timer ran. If
// there are none of any window all of them counts. Else the part of a window that lies
// behind its last note does not, and it is taken to have its share of the operations.
func timed(windows []prof.Window, notes []span) timing {
	var t timing
	var all, noted, ran, ops float64
	for _, w := range windows {
		s := span{w.Begin, w.End}
		t.windows = append(t.windows, s)
		t.ops += w.Ops
		mine := overlap(notes, s)
		all += s.length()
		if w.Rough || len(mine) == 0 { // a rough one has runs in it that there are no marks of
			continue
		}
		t.ran = append(t.ran, mine...)
		share := span{s.begin, mine[len(mine)-1].end}.length() / s.length()
		if share > 1-unnoted {
			share = 1
		}
		ops += share * float64(w.Ops)
		noted += share * s.length()
		for _, x := range mine {
			ran += x.length()
		}
	}
	t.windows = apart(t.windows)
	if len(t.ran) == 0 {
		t.ran = t.windows
		return t
	}
	t.ran, t.stood, t.noted = apart(t.ran), max(0, noted-ran)/noted, noted/all
	if noted < all {
		t.ops = int64(math.Round(ops))
	}
	return t
}
