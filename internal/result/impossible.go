package result

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
)

// impossible warns about values that cannot be: NaN and infinities of any unit, and less than
// nothing of a time, a rate, or memory. Other units are the benchmark's own, and may be negative.
func (c *caseData) impossible(role string, all []string) *derivedWarning {
	for _, u := range all {
		bad, of := 0, c.values(role, u)
		example := 0.0
		for _, x := range of {
			if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 && (record.IsTime(u) || record.IsRate(u) || ofMemory(u) || strings.HasSuffix(u, "-B")) {
				bad++
				example = x
			}
		}
		if bad > 0 {
			return &derivedWarning{Warn: record.Warn{
				Code:   CodeImpossible,
				Text:   fmt.Sprintf("%d of %s: %g %s, which cannot be measured", bad, units.Plural(len(of), "fork"), example, u),
				Advice: "the record is damaged, or the benchmark reports " + u + " by itself; measure again",
			}, severity: float64(bad)}
		}
	}
	return nil
}
