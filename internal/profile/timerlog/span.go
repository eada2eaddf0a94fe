package timerlog

import (
	"cmp"
	"slices"
)

// Span is a half-open time interval [Begin, End) in CLOCK_MONOTONIC ns.
type Span struct{ Begin, End int64 }

func (s Span) length() float64 { return float64(s.End - s.Begin) }

// mergeSpans sorts spans by time and merges those that overlap or touch.
func mergeSpans(list []Span) []Span {
	slices.SortFunc(list, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End))
	})
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

// Contains reports whether t is in one of the spans, which must be disjoint and sorted.
func Contains(list []Span, t int64) bool {
	i, _ := slices.BinarySearchFunc(list, t, func(s Span, t int64) int { return cmp.Compare(s.End, t+1) })
	return i < len(list) && list[i].Begin <= t
}

// Overlap returns the parts of the spans that lie in w. The spans must be disjoint and sorted.
func Overlap(list []Span, w Span) (out []Span) {
	i, _ := slices.BinarySearchFunc(list, w.Begin, func(s Span, t int64) int { return cmp.Compare(s.End, t+1) })
	for ; i < len(list) && list[i].Begin < w.End; i++ {
		if s := (Span{max(list[i].Begin, w.Begin), min(list[i].End, w.End)}); s.Begin < s.End {
			out = append(out, s)
		}
	}
	return out
}
