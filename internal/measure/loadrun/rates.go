package loadrun

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseRates reads 1000,2000,5000 or 1000..5000/5.
func ParseRates(list string) ([]float64, error) {
	const most = 1000
	if from, rest, ok := strings.Cut(list, ".."); ok {
		to, count, ok := cutLast(rest, "/")
		a, errA := ParseRate(from)
		b, errB := ParseRate(to)
		n, errN := strconv.Atoi(count)
		if err := errors.Join(errA, errB, errN); err != nil || !ok || n < 2 || n > most || a == b {
			return nil, fmt.Errorf("%q is not of the form A..B/N, such as 1000..5000/5", list)
		}
		var out []float64
		for i := range n {
			out = append(out, roundRate(a+(b-a)*float64(i)/float64(n-1)))
		}
		return slices.Compact(out), nil
	}
	if list == "" {
		return nil, errors.New("no rates; give a list such as 1000,2000,4000")
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

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
