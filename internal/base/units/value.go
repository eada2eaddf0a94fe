package units

import (
	"math"
	"strings"
	"time"
)

// Value writes x with its unit and so many significant digits: "6.82 µs/op".
func Value(unit string, x float64, digits int) string {
	s := ScaleOf(unit, x)
	return strings.TrimSpace(s.Number(x, digits) + " " + s.Long())
}

// Cost returns a time in ns with two significant digits: what tare itself takes is known
// no better.
func Cost(ns float64) string { return Value("ns", ns, 2) }

// Time returns a time in ns with three significant digits, whole ns below a microsecond.
func Time(ns int64) string {
	s := ScaleOf("ns", float64(ns))
	if s.Div == 1 {
		return Count(ns) + " ns"
	}
	return Significant(float64(ns)/s.Div, 3) + " " + s.Long()
}

// Span returns a time in ns with two significant digits, whole from ten on: 1.7 ms, 240 ms.
func Span(ns float64) string {
	s := ScaleOf("ns", ns)
	return Significant(ns/s.Div, 2) + " " + s.Long()
}

// Brief returns a time in ns with at most three significant digits: 1.5 ms, 100 ns.
func Brief(ns float64) string {
	s := ScaleOf("ns", ns)
	return Trimmed(ns/s.Div, 3) + " " + s.Long()
}

// Bytes returns a size with three significant digits: 1.21 MiB.
func Bytes(n int64) string {
	s := splitUnit("B").step(math.Abs(float64(n)), 1, 1024, 1023.5, "B", "KiB", "MiB", "GiB", "TiB", "PiB")
	if s.Div == 1 {
		return Count(n) + " B"
	}
	return Significant(float64(n)/s.Div, 3) + " " + s.what
}

// Duration writes d as a person would type it: 10m, not 10m0s.
func Duration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-2]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-2]
	}
	return s
}
