package export

import (
	"math"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/result"
)

func comparisonHeader() []string {
	return []string{
		"pkg", "name", "procs", "role", "base", "side", "unit",
		"old", "new", "ratio", "lo", "hi", "confidence", "p", "adjusted_p",
		"verdict", "trusted", "reasons", "forks_needed", "old_forks", "new_forks",
	}
}

// comparisonRow returns one unit of one benchmark on two sides. There is no p where
// nothing was tested; reasons are codes.
func comparisonRow(c *result.Comparison) []string {
	return []string{
		c.Pkg, c.Name, positive(c.Procs), c.Role, c.Base, c.Side, c.Unit,
		orEmpty(c.Old), orEmpty(c.New), orEmpty(c.Ratio), orEmpty(c.Lo), orEmpty(c.Hi), known(c.Confidence), orEmpty(c.P), orEmpty(c.AdjustedP),
		c.Verdict, strconv.FormatBool(c.Trusted), strings.Join(c.Reasons, " "), positive(c.ForksNeeded), strconv.Itoa(c.OldN), strconv.Itoa(c.NewN),
	}
}

// orEmpty returns n unrounded, "" for NaN.
func orEmpty(n result.Number) string {
	if math.IsNaN(float64(n)) {
		return ""
	}
	return exact(float64(n))
}
