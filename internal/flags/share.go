package flags

import (
	"fmt"
	"strconv"
	"strings"
)

// shareFlag is a share that may be typed as 95% or as 0.95. The verb checks whether it is in
// range, with all else that is wrong.
type shareFlag struct{ share *float64 }

func (f shareFlag) Set(v string) error {
	x, err := parseNumber(v)
	if err != nil {
		return fmt.Errorf("%q is not a share such as 95%% or 0.95", v)
	}
	*f.share = x
	return nil
}

func (f shareFlag) String() string {
	if f.share == nil {
		return ""
	}
	return strconv.FormatFloat(*f.share, 'g', -1, 64)
}

func (shareFlag) Type() string { return "share" }

// parseNumber reads 3% and 0.03 alike.
func parseNumber(s string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		x /= 100
	}
	return x, err
}

// ParseShare reads 1%, 0.5% or 0.005 as a fraction above 0 and below 1.
func ParseShare(s string) (float64, error) {
	x, err := parseNumber(s)
	if err != nil || !(x > 0 && x < 1) {
		return 0, fmt.Errorf("%q is not a share such as 1%% or 0.01, above 0 and below 100%%", s)
	}
	return x, nil
}

// ParseWholeShare reads 1% or 0.01 as a fraction from 0 to 1, both included.
func ParseWholeShare(s string) (float64, error) {
	x, err := parseNumber(s)
	if err != nil || !(x >= 0 && x <= 1) {
		return 0, fmt.Errorf("%q is not a share such as 10%% or 0.1, from 0 to 100%%", s)
	}
	return x, nil
}
