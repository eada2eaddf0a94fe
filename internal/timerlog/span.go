package timerlog

import (
	"cmp"
	"slices"
)

// Span is a stretch of time: CLOCK_MONOTONIC ns, the end is not in it.
type Span struct{ Begin, End int64 }

func (s Span) length() float64 { return float64(s.End - s.Begin) }

// apart puts spans into the order of time and makes one of those that touch each other.
func apart(list []Span) []Span {
	slices.SortFunc(list, func(x, y Span) int { return cmp.Or(cmp.Compare(x.Begin, y.Begin), cmp.Compare(x.End, y.End)) })
	out := list[:0]
	for _, s := range list {
		switch last := len(out) - 1; {
		case s.End <= s.Begin:
		case last >= 0 && s.Begin <= out[last].End:
			out[last].End = max(out[last].End, s.End)
		default:
			out = append(out, s)
		}
	}
	return out
}

// Holds reports whether a time is in one of the spans, which are apart.
func Holds(list []Span, t int64) bool {
	i, _ := slices.BinarySearchFunc(list, t, func(s Span, t int64) int { return cmp.Compare(s.End, t+1) })
	return i < len(list) && list[i].Begin <= t
}

// Overlap is what of the spans, which are apart, lies in w.
func Overlap(list []Span, w Span) (out []Span) {
	i, _ := slices.BinarySearchFunc(list, w.Begin, func(s Span, t int64) int { return cmp.Compare(s.End, t+1) })
	for ; i < len(list) && list[i].Begin < w.End; i++ {
		if s := (Span{max(list[i].Begin, w.Begin), min(list[i].End, w.End)}); s.Begin < s.End {
			out = append(out, s)
		}
	}
	return out
}
