package pace

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ParseRates reads 1000,2000,5000 or 1000..5000/5 as operations per second. It fails for an empty list.
func ParseRates(list string) ([]float64, error) {
	const most = 1000
	if from, rest, ok := strings.Cut(list, ".."); ok {
		slash := max(strings.LastIndexByte(rest, '/'), 0) // a rate may have one, too
		to, count := rest[:slash], rest[min(slash+1, len(rest)):]
		a, errA := ParseRate(from)
		b, errB := ParseRate(to)
		n, errN := strconv.Atoi(count)
		if err := errors.Join(errA, errB, errN); err != nil || n < 2 || n > most || a == b {
			return nil, fmt.Errorf("%q is not of the form A..B/N, such as 1000..5000/5", list)
		}
		var out []float64
		for i := range n {
			out = append(out, RoundRate(a+(b-a)*float64(i)/float64(n-1)))
		}
		return slices.Compact(out), nil
	}
	var out []float64
	for _, part := range strings.Split(list, ",") {
		r, err := ParseRate(part)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// RoundRate rounds a rate to three digits.
func RoundRate(x float64) float64 {
	ten := math.Pow(10, 2-math.Floor(math.Log10(x)))
	return math.Round(x*ten) / ten
}
