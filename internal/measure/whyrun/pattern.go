package whyrun

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/result"
)

// patternOf returns the pattern of --bench for the benchmarks of rows: the parts of their names, each with
// alternatives. It chooses others, too, that have a part of one and a part of another, and all below a name that has
// fewer parts.
func patternOf(rows []*result.Comparison) string {
	if len(rows) == 1 {
		return fork.Pattern(rows[0].Name)
	}
	var levels [][]string
	for i, c := range rows {
		parts := strings.Split(fork.Pattern(c.Name), "/")
		if i == 0 {
			levels = make([][]string, len(parts))
		}
		levels = levels[:min(len(levels), len(parts))]
		for k := range levels {
			if !slices.Contains(levels[k], parts[k]) {
				levels[k] = append(levels[k], parts[k])
			}
		}
	}
	var out []string
	for _, alternatives := range levels {
		out = append(out, strings.Join(alternatives, "|"))
	}
	return strings.Join(out, "/")
}
