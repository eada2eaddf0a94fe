package layout

import (
	"cmp"
	"slices"
	"strings"
)

// maxNear is how many names are suggested.
const maxNear = 3

// near are those of the names that are most like the one that was asked for.
func near(asked string, names []string) []string {
	type candidate struct {
		name string
		far  int
	}
	var list []candidate
	lower := strings.ToLower(asked)
	for _, n := range names {
		other := strings.ToLower(n)
		far := distance(lower, other)
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

// distance is how many letters have to be put in, taken out or replaced to make
// one word of another (Levenshtein 1966).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
