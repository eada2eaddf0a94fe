package stat

import "math"

// BlockInterval returns the median of xs, and Student's t interval over the medians of blocks, on logarithms: for
// values that were drawn in blocks at different times, where a block is one observation of the machine and not as many as it
// has values. block[i] is the block of xs[i].
//
// It takes minBlocks blocks; below Lo and Hi are infinite and Confidence is 0. Values must be above 0 for logarithms;
// if some are not, there is no interval. The interval is widened to the median where it would not hold it.
func BlockInterval(xs []float64, block []int, minBlocks int, confidence float64) Interval {
	out := Interval{Median: Median(xs), Lo: math.Inf(-1), Hi: math.Inf(1)}
	of := map[int][]float64{}
	for i, x := range xs {
		if !(x > 0) || math.IsInf(x, 0) {
			return out
		}
		of[block[i]] = append(of[block[i]], x)
	}
	if len(of) < max(2, minBlocks) {
		return out
	}
	var logs []float64
	for _, b := range of {
		logs = append(logs, math.Log(Median(b)))
	}
	e := TInterval(logs, confidence)
	if e.Confidence == 0 {
		return out
	}
	out.Lo, out.Hi = min(math.Exp(e.Lo), out.Median), max(math.Exp(e.Hi), out.Median)
	out.Confidence = e.Confidence
	return out
}
