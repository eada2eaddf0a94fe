package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseSize reads a number as people write sizes: 1000, 1_000, 1e6, 10^6, 1<<20,
// 1k, 1.5M, 4KiB, 64MB. As in benchstat k is 1000 and Ki is 1024, whichever way
// the letter is written; B may follow.
func ParseSize(s string) (n float64, ok bool) {
	if s == "" || s[0] < '0' || s[0] > '9' { // neither -1 nor +1, Inf or NaN
		return 0, false
	}
	if base, exponent, ok := strings.Cut(s, "^"); ok {
		return power(base, exponent, 1)
	}
	if factor, exponent, ok := strings.Cut(s, "<<"); ok {
		return power("2", exponent, parseNumber(factor))
	}
	if n := parseNumber(s); !math.IsNaN(n) {
		return n, true
	}
	rest, step := strings.TrimRight(s, "bB"), 1000.0
	if len(s)-len(rest) > 1 {
		return 0, false
	}
	if short, ok := strings.CutSuffix(rest, "i"); ok {
		rest, step = short, 1024
	}
	if rest == "" {
		return 0, false
	}
	scale := 1.0
	if i := strings.IndexByte("kmgtp", rest[len(rest)-1]|0x20); i >= 0 {
		rest, scale = rest[:len(rest)-1], math.Pow(step, float64(i+1))
	} else if step == 1024 {
		return 0, false // an i after no letter
	}
	n = parseNumber(rest) * scale
	return n, !math.IsNaN(n) && !math.IsInf(n, 0)
}

// ParseBytes reads a size as [ParseSize] does, also one with a blank before its unit, in whole bytes.
func ParseBytes(s string) (int64, error) {
	n, ok := ParseSize(strings.ReplaceAll(s, " ", ""))
	if !ok || n > math.MaxInt64/2 {
		return 0, fmt.Errorf("%q is not a size such as 64KiB or 2GiB", s)
	}
	return int64(n), nil
}

// power is factor·base^exponent.
func power(base, exponent string, factor float64) (float64, bool) {
	n := factor * math.Pow(parseNumber(base), parseNumber(exponent))
	return n, !math.IsNaN(n) && !math.IsInf(n, 0)
}

// parseNumber reads digits with a point, an exponent or underscores; anything else is
// NaN.
func parseNumber(s string) float64 {
	if strings.Trim(s, "0123456789._eE+") != "" || strings.HasPrefix(s, "_") || strings.HasSuffix(s, "_") {
		return math.NaN()
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	if err != nil {
		return math.NaN()
	}
	return n
}
