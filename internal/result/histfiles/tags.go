package histfiles

import (
	"strings"

	"github.com/tarebench/tare/internal/result/latencies"
)

// matchesTag reports whether a tag matches one of the patterns; without patterns every
// tag does. In a pattern * stands for any text. The empty pattern matches the empty tag.
func matchesTag(patterns []string, tag string) bool {
	for _, p := range patterns {
		if p == tag || p == latencies.Untagged && tag == "" || matchesPattern(p, tag) {
			return true
		}
	}
	return len(patterns) == 0
}

func matchesPattern(pattern, s string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == s
	}
	s, ok := strings.CutPrefix(s, first)
	if !ok {
		return false
	}
	for i := range len(s) + 1 {
		if matchesPattern(rest, s[i:]) {
			return true
		}
	}
	return false
}
