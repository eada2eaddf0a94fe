package structs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/suggest"
)

// maxNear is how many names are suggested.
const maxNear = 3

// nearNames returns those of the names that are most like the one that was asked for.
func nearNames(asked string, names []string) []string {
	type candidate struct {
		name string
		far  int
	}
	var list []candidate
	lower := strings.ToLower(asked)
	for _, n := range names {
		other := strings.ToLower(n)
		far := suggest.Distance(lower, other)
		limit := min(max(2, len(asked)/3), len(asked)/2) // two letters of three make any word of any
		if strings.Contains(other, lower) || strings.Contains(lower, other) && len(other) > 2 {
			far = min(far, 2, limit)
		}
		if far <= limit {
			list = append(list, candidate{n, far})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.name, b.name))
	})
	var out []string
	for _, c := range list[:min(len(list), maxNear)] {
		out = append(out, c.name)
	}
	return out
}
