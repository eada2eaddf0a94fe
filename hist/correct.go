package hist

import (
	"fmt"
	"math"
)

// Correct returns a copy with the values added that a closed loop left out.
//
// A loop that sends its next request when the last one has been answered sends
// none while it waits: of a stall it records one value, where requests sent every
// expected units would have seen one of each length down to nothing ("coordinated
// omission"). So for each value v > expected this adds v-expected, v-2×expected …
// down to expected, as often as v is there: HdrHistogram's
// copyCorrectedForCoordinatedOmission, bucket for bucket. It is an estimate, and
// wrong for values that were measured from the time at which a request was due:
// those have nothing to be added.
//
// Expected is in the values' unit and must be positive. The other error is that
// the sum of the counts exceeds math.MaxInt64.
func (h *Histogram) Correct(expected int64) (*Histogram, error) {
	if expected <= 0 {
		return nil, fmt.Errorf("hist: correct: expected interval %d is not positive", expected)
	}
	c := h.Copy()
	for p, n := range h.counts() {
		if err := c.fill(h.highest(p), n, expected); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// fill adds n times v-expected, v-2×expected … down to expected. It goes from
// bucket to bucket, not from value to value: an hour has 3.6 × 10^12 steps of
// a nanosecond, but at most 33 000 buckets.
func (h *Histogram) fill(v, n, expected int64) error {
	for next := v - expected; next >= expected; {
		floor := max(h.lowest(h.find(next)), expected)
		steps := (next-floor)/expected + 1
		if steps > (math.MaxInt64-h.count)/n {
			return fmt.Errorf("hist: correct by %d: %w", expected, errOverflow)
		}
		h.RecordN(next, steps*n)
		next -= steps * expected
	}
	return nil
}
