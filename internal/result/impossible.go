package result

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
)

// impossible warns about values that cannot be, in any measured iteration: NaN and infinities of any unit, and less
// than nothing of what is never negative.
func (c *caseData) impossible(role string, all []string) *derivedWarning {
	for _, u := range all {
		forks := c.forks
		if len(valuesOf(forks, role, u)) == 0 {
			forks = c.profiled
		}
		bad, of, example := 0, 0, 0.0
		for i := range forks {
			s := forks[i].role(role)
			if s == nil || s.unit(u) == nil {
				continue
			}
			of++
			if x, found := s.unit(u).impossible(); found {
				bad++
				example = x
			}
		}
		if bad > 0 {
			return &derivedWarning{Warn: *diagnosis.Warn(diagnosis.Impossible, diagnosis.Facts{"bad": bad, "forks": units.Plural(of, "fork"), "value": fmt.Sprintf("%g", example), "unit": u}), severity: float64(bad)}
		}
	}
	return nil
}

// impossible returns a value of the fork's iterations that cannot be, if there is one. The extremes are NaN if any is.
func (u *unitSeries) impossible() (x float64, found bool) {
	for _, x := range []float64{u.median, u.lo, u.hi} {
		if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 && neverNegative(u.unit) {
			return x, true
		}
	}
	return 0, false
}

// unsigned are units of package testing, of package bench and of commands that are never negative.
var unsigned = []string{
	"ns/op", "MB/s", "op/s", "B/op", "allocs/op",
	"p50-ns", "p90-ns", "p99-ns", "p99.9-ns", "max-ns", "service-ns/op", "service-p99-ns", "lateness-p50-ns", "lateness-p99-ns",
	UnitReal, UnitUser, UnitSys, UnitCPU, UnitPeak, UnitPeakBelow, UnitAlloc, UnitAllocs, UnitGCCycles, UnitGCPause, UnitGCCPU, UnitTotals,
}

// memoryPrefixes begin the units of profiler mem.
var memoryPrefixes = []string{"usedMem_", "usedHeap_", "totalMem_", "Vm", "PSS"}

// neverNegative reports whether the unit is of package testing or of tare, and counts from nothing. A benchmark's own
// units may be differences.
func neverNegative(unit string) bool {
	if slices.Contains(unsigned, unit) || ofTool(unit) {
		return true
	}
	return strings.HasSuffix(unit, "-B") && !strings.HasSuffix(unit, "_growth-B") &&
		slices.ContainsFunc(memoryPrefixes, func(p string) bool { return strings.HasPrefix(unit, p) })
}
