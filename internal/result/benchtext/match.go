package benchtext

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// MatchName returns a function that reports whether the pattern of a --bench matches a
// benchmark of a record, whose name has no Benchmark before it. It matches as when benchmarks
// are measured, see go help testflag: the elements between slashes each match by themselves,
// sub-benchmarks come with what they are part of, and | between whole patterns is either. ""
// matches all. It fails for a pattern that is no regular expression.
func MatchName(re string) (func(name string) bool, error) {
	var either [][]*regexp.Regexp
	for _, pattern := range splitBench(re, '|') {
		var elements []*regexp.Regexp
		for _, e := range splitBench(pattern, '/') {
			x, err := regexp.Compile(strings.ReplaceAll(e, " ", "_")) // as package testing names them
			if err != nil {
				return nil, err
			}
			elements = append(elements, x)
		}
		either = append(either, elements)
	}
	return func(name string) bool {
		return slices.ContainsFunc(either, func(x []*regexp.Regexp) bool { return matchElements(x, name) })
	}, nil
}

func matchElements(patterns []*regexp.Regexp, name string) bool {
	elements := strings.Split(name, "/")
	if len(elements) < len(patterns) {
		return false // go test only looks there for sub-benchmarks
	}
	for i, re := range patterns {
		if !re.MatchString(elements[i]) && (i > 0 || !re.MatchString("Benchmark"+elements[i])) {
			return false
		}
	}
	return true
}

// splitBench splits a pattern as package testing does: not in brackets, and not behind \.
func splitBench(s string, at byte) (out []string) {
	brackets, parentheses, from := 0, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '[':
			brackets++
		case c == ']':
			brackets = max(0, brackets-1) // one too many stands for itself
		case c == '(' && brackets == 0:
			parentheses++
		case c == ')' && brackets == 0:
			parentheses--
		case c == at && brackets == 0 && parentheses == 0:
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return append(out, s[from:])
}

// Nearest returns "there is …" with a few of the benchmarks' names, those first that have most
// in common with what was typed.
func Nearest(typed string, names []string) string {
	const few = 3
	names = slices.Clone(names)
	slices.Sort(names)
	names = slices.Compact(names)
	typed = strings.ToLower(strings.TrimPrefix(typed, "Benchmark"))
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(commonLength(typed, strings.ToLower(b)), commonLength(typed, strings.ToLower(a))), cmp.Compare(len(a), len(b)))
	})
	if n := len(names); n > few+1 {
		return "there is " + strings.Join(names[:few], ", ") + fmt.Sprintf(", and %d more", n-few)
	}
	return "there is " + strings.Join(names, ", ")
}

// commonLength returns the length of the longest text that is in both, in bytes.
func commonLength(a, b string) (most int) {
	last := make([]int, len(b)+1)
	for i := range a {
		now := make([]int, len(b)+1)
		for j := range b {
			if a[i] == b[j] {
				now[j+1] = last[j] + 1
				most = max(most, now[j+1])
			}
		}
		last = now
	}
	return most
}
