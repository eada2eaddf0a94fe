package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Percent writes a share: 3.1 %, 24 %.
func Percent(share float64) string {
	x := 100 * share
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return None
	}
	places := 1
	if math.Abs(x) >= 9.95 {
		places = 0
	}
	return strconv.FormatFloat(x, 'f', places, 64) + " %"
}

// PercentTo writes a share with so many digits after the point.
func PercentTo(share float64, places int) string {
	switch {
	case math.IsNaN(share):
		return None
	case math.IsInf(100*share, 1):
		return "∞ %"
	}
	return strconv.FormatFloat(100*share, 'f', places, 64) + " %"
}

// Level writes a chosen share, such as a confidence level, with all its digits: 95 %, 99.9 %.
func Level(share float64) string {
	return strconv.FormatFloat(math.Round(share*1e6)/1e4, 'f', -1, 64) + " %"
}

// Probability writes the p of a test.
func Probability(p float64) string {
	switch {
	case !(p >= 0 && p <= 1):
		return None
	case p < 0.00001:
		return "<0.00001"
	case p < 0.001:
		return strconv.FormatFloat(p, 'f', 5, 64)
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// ParseFraction reads 3% and 0.03 alike, of any size.
func ParseFraction(s string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		x /= 100
	}
	return x, err
}

// ParseShare reads 1%, 0.5% or 0.005 as a fraction above 0 and below 1.
func ParseShare(s string) (float64, error) {
	x, err := ParseFraction(s)
	if err != nil || !(x > 0 && x < 1) {
		return 0, fmt.Errorf("%q is not a share such as 1%% or 0.01, above 0 and below 100%%", s)
	}
	return x, nil
}

// ParseWholeShare reads 1% or 0.01 as a fraction from 0 to 1, both included.
func ParseWholeShare(s string) (float64, error) {
	x, err := ParseFraction(s)
	if err != nil || !(x >= 0 && x <= 1) {
		return 0, fmt.Errorf("%q is not a share such as 10%% or 0.1, from 0 to 100%%", s)
	}
	return x, nil
}
