package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/result"
)

// latencyUnits are the units that latencies are shown in, in ns.
func latencyUnits() map[string]int64 {
	return map[string]int64{"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
}

// parseUnit reads the value of a flag that names a unit.
func parseUnit(flag, s string) (ns int64, err error) {
	if s == "µs" {
		s = "us"
	}
	ns, ok := latencyUnits()[s]
	if !ok {
		return 0, usageError(fmt.Errorf("%s %q is none of ns, us, ms, s", flag, s), "")
	}
	return ns, nil
}

// times multiplies a value of a log by its unit. What is too large stays the largest.
func times(v, unit int64) int64 {
	if v > math.MaxInt64/unit {
		return math.MaxInt64
	}
	return v * unit
}

// inNs are the figures of a histogram, whose values are in a unit, in ns.
func inNs(h *hist.Histogram, unit int64) hist.Percentiles {
	p := h.Percentiles()
	for _, v := range []*int64{&p.Min, &p.P50, &p.P90, &p.P99, &p.P999, &p.P9999, &p.Max} {
		*v = times(*v, unit)
	}
	p.Mean *= float64(unit)
	return p
}

// percentileOf is a percentile within the least and the largest value, as
// hist.Percentiles has it.
func percentileOf(h *hist.Histogram, p float64) int64 {
	return min(max(h.ValueAtPercentile(p), h.Min()), h.Max())
}

// latencyCell is a latency in a table: in the unit that was asked for, or else in
// one that gives it few digits.
func latencyCell(ns float64, unit string) timeCell {
	if unit == "" { // a mean of nanoseconds has a point
		if math.Abs(ns) < 999.5 && ns == math.Trunc(ns) {
			return timeCell{number: strconv.FormatFloat(ns, 'f', -1, 64), unit: "ns"}
		}
		return amount(result.UnitReal, result.Number(ns))
	}
	return timeCell{number: significant(ns/float64(latencyUnits()[unit]), 4, placesOf(unit)), unit: unit}
}

// significant writes a number to so many digits, of which those before the point
// are all written, and of those behind it at most so many places.
func significant(x float64, digits, places int) string {
	if x == 0 {
		return "0"
	}
	e := strconv.FormatFloat(x, 'e', digits-1, 64)
	exp, err := strconv.Atoi(e[strings.IndexByte(e, 'e')+1:])
	if err != nil {
		return e // not finite
	}
	return strconv.FormatFloat(x, 'f', min(max(digits-1-exp, 0), places), 64)
}

// exactly writes ns in a unit, with all digits that it has.
func exactly(ns int64, unit string) string {
	n := placesOf(unit)
	s := fmt.Sprintf("%0*d", n+1, ns)
	s = s[:len(s)-n] + "." + s[len(s)-n:]
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// placesOf is how many places of the unit there are down to 1 ns.
func placesOf(unit string) int { return int(math.Round(math.Log10(float64(latencyUnits()[unit])))) }

// grouped writes a count with blanks between its thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	if len(s) < 5 {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}
