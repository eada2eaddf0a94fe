package aatest

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/stat"
)

// share writes a share as per cent: 3.1 %, 24 %.
func share(x stat.Number) string {
	if math.IsNaN(float64(x)) {
		return "–"
	}
	return digits(x) + " %"
}

// digits writes a share as per cent without the sign.
func digits(x stat.Number) string {
	p := 100 * float64(x)
	switch {
	case math.IsNaN(p):
		return "–"
	case math.IsInf(p, 0):
		return "∞"
	case math.Abs(p) >= 99.95:
		return strconv.FormatFloat(p, 'f', 0, 64)
	}
	return strconv.FormatFloat(p, 'f', 1, 64)
}

// between writes an interval of shares: (0.1 … 13.2).
func between(lo, hi stat.Number) string { return "(" + digits(lo) + " … " + digits(hi) + ")" }

// decimal writes a number with two decimals.
func decimal(x stat.Number) string {
	if math.IsNaN(float64(x)) {
		return "–"
	}
	s := strconv.FormatFloat(float64(x), 'f', 2, 64)
	return strings.Replace(s, "-0.00", "0.00", 1)
}

// duration writes d as a person would type it: 10m, not 10m0s.
func duration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}

// printable makes a text one line without control characters: names and reasons
// come from benchmarks, and records from anywhere.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// twins replaces what lies beyond ASCII by something like it.
var twins = strings.NewReplacer("×", "x", "·", "|", "…", "..", "–", "-", "→", "->", "≥", ">=", "∞", "inf", "µ", "u", "±", "+/-")

// ascii is s in ASCII.
func ascii(s string) string {
	return strings.Map(func(r rune) rune {
		if r > '~' {
			return '?'
		}
		return r
	}, twins.Replace(s))
}
