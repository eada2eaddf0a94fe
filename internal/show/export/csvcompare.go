package export

import (
	"math"
	"slices"
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

// comparisonRows returns the header and a row of each comparison. Columns of Savage's test and of warnings are there
// if it was used, and that of what two runs differ by if that is known: files of older records have those they always
// had.
func comparisonRows(cs []result.Comparison) [][]string {
	savage := slices.ContainsFunc(cs, func(c result.Comparison) bool { return c.Test != "" })
	different := slices.ContainsFunc(cs, func(c result.Comparison) bool { return c.RunDifference > 0 })
	rows := [][]string{comparisonHeader()}
	if savage {
		rows[0] = append(rows[0], "test", "by", "undisturbed_ratio", "undisturbed_lo", "undisturbed_hi", "typical_ratio", "typical_lo", "typical_hi", "also", "warnings")
	}
	if different {
		rows[0] = append(rows[0], "apart")
	}
	for i := range cs {
		row := comparisonRow(&cs[i])
		if savage {
			row = append(append(row, savageColumns(&cs[i])...), strings.Join(result.Codes(cs[i].Warnings), " "))
		}
		if different {
			row = append(row, known(cs[i].RunDifference))
		}
		rows = append(rows, row)
	}
	return rows
}

// savageColumns returns the test, what decided, the two quantities, and what else has moved.
func savageColumns(c *result.Comparison) []string {
	out := []string{c.Test, c.By}
	for _, s := range []*result.Shift{c.Undisturbed, c.Typical} {
		if s == nil {
			s = &result.Shift{Ratio: result.Number(math.NaN()), Lo: result.Number(math.NaN()), Hi: result.Number(math.NaN())}
		}
		out = append(out, orEmpty(s.Ratio), orEmpty(s.Lo), orEmpty(s.Hi))
	}
	var also []string
	for _, s := range c.Also {
		also = append(also, s.Quantity)
	}
	return append(out, strings.Join(also, ", "))
}

// orEmpty returns n unrounded, "" for NaN.
func orEmpty(n result.Number) string {
	if math.IsNaN(float64(n)) {
		return ""
	}
	return exact(float64(n))
}
