package render

import "github.com/tarebench/tare/internal/result"

// forksNeeded returns the least number of forks for an interval of that confidence
// around the median: the least n with 1 - 2·0.5ⁿ ≥ confidence. 0: none will do.
func forksNeeded(confidence float64) int {
	if !(confidence < 1) {
		return 0
	}
	n, missed := 1, 1.0
	for 1-missed < confidence {
		n++
		missed /= 2
	}
	return n
}

// confidence returns the one asked for.
func confidence(s *result.Result) float64 {
	if s.Confidence > 0 {
		return s.Confidence
	}
	return result.DefaultConfidence
}
