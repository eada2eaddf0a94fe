package stat

import "math"

// Share is a part of what was drawn at random: of the samples of a profiler, say, those that found a function.
type Share struct {
	Value float64 // 0 to 1
	Draws float64 // of how many independent draws, which need not be a whole number; +Inf: it is exact
}

// ShareDifference is the difference of two shares with its confidence interval.
type ShareDifference struct {
	Value      float64 // second minus first, -1 to 1
	Lo, Hi     float64 // of it, at Confidence
	P          float64 // two-sided: the least 1-confidence whose interval leaves out 0
	Confidence float64 // 0 if there is no interval
}

// CompareShares returns the difference b-a of two independent shares with Newcombe's interval (Statistics in Medicine 17,
// 1998, method 10: that of Wilson for each share, squared and added). Other than the interval of the normal
// distribution, it holds where a share is 0 or 1, or has few draws. P is that of this interval, so that both say the same.
//
// Shares of no draws, or that are no shares, have a NaN difference, the interval -1 … 1 and P = 1. Two exact ones have an
// interval of no width, and P is 0 where they differ.
func CompareShares(a, b Share, confidence float64) ShareDifference {
	d := ShareDifference{Value: math.NaN(), Lo: -1, Hi: 1, P: 1}
	if !a.valid() || !b.valid() {
		return d
	}
	d.Value = b.Value - a.Value
	alpha := alphaOf(confidence)
	if alpha == 0 {
		return d
	}
	d.Lo, d.Hi = newcombe(a, b, normalQuantile(1-alpha/2))
	d.Confidence = 1 - alpha
	d.P = sharesP(a, b)
	return d
}

func (s Share) valid() bool { return s.Value >= 0 && s.Value <= 1 && s.Draws > 0 }

// sharesP returns the P at which the interval just touches 0.
func sharesP(a, b Share) float64 {
	if a.Value == b.Value {
		return 1
	}
	const most = 40 // the P of such a z is 0
	excluded := func(z float64) bool {
		lo, hi := newcombe(a, b, z)
		return lo > 0 || hi < 0
	}
	if excluded(most) {
		return 0
	}
	return normalTail(bisect(0, most, excluded))
}

// newcombe returns the interval of b-a whose halves are z standard errors wide.
func newcombe(a, b Share, z float64) (lo, hi float64) {
	loA, hiA := a.wilson(z)
	loB, hiB := b.wilson(z)
	d := b.Value - a.Value
	return d - math.Hypot(b.Value-loB, hiA-a.Value), d + math.Hypot(hiB-b.Value, a.Value-loA)
}

// wilson returns Wilson's interval of a share (Journal of the American Statistical Association 22, 1927).
func (s Share) wilson(z float64) (lo, hi float64) {
	if math.IsInf(s.Draws, 1) {
		return s.Value, s.Value
	}
	w := z * z / s.Draws
	mid := (s.Value + w/2) / (1 + w)
	half := z / (1 + w) * math.Sqrt(s.Value*(1-s.Value)/s.Draws+w/(4*s.Draws))
	// Rounding must not put the share itself outside.
	return min(max(0, mid-half), s.Value), max(min(1, mid+half), s.Value)
}
