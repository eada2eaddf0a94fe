package suggest

import (
	"cmp"
	"slices"
	"strings"
)

// Similar returns at most three of the known names that are like a typed one, the nearest first: a third of its
// letters may differ, or one is a part of the other. Upper and lower case are the same. key returns what is compared
// of a name; nil is all of it.
func Similar(typed string, known []string, key func(string) string) []string {
	typed = strings.ToLower(typed)
	limit := min(max(2, len(typed)/3), len(typed)/2) // two letters of three make any word of any
	distance := func(name string) int {
		if key != nil {
			name = key(name)
		}
		name = strings.ToLower(name)
		far := Distance(typed, name)
		if strings.Contains(name, typed) || strings.Contains(typed, name) && len(name) > 2 {
			far = min(far, 2, limit)
		}
		return far
	}
	near := slices.DeleteFunc(slices.Clone(known), func(name string) bool { return distance(name) > limit })
	slices.SortStableFunc(near, func(a, b string) int {
		return cmp.Or(cmp.Compare(distance(a), distance(b)), cmp.Compare(a, b))
	})
	return near[:min(len(near), 3)]
}

// Nearest returns the first of the known names that takes the fewest changed letters, at most so many, "" if there is
// none. Upper and lower case are the same, and a name of which every letter would change is not near.
func Nearest(typed string, known []string, most int) string {
	best, least := "", most+1
	for _, name := range known {
		if d := Distance(strings.ToLower(typed), strings.ToLower(name)); d < least && d < len(name) {
			best, least = name, d
		}
	}
	return best
}
