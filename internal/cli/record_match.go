package cli

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/result"
)

// matchBench is the matcher of --bench for the benchmarks of a record, which have no
// Benchmark before their names: one matches as it does when it is measured, see go help
// testflag. The elements between slashes each match by themselves, sub-benchmarks come with
// what they are part of, and | between whole patterns is either. "" matches all.
func matchBench(re string) (func(name string) bool, error) {
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

// chosen returns the cases that a pattern names, and an error that names what there is if it
// names none. Such an error begins with file, if there is one; done is what was done to the
// cases, "sampled".
func chosen[T any](file string, cases []result.Profiled[T], done, pattern string) ([]result.Profiled[T], error) {
	match, err := matchBench(pattern)
	if err != nil {
		return nil, usageError(fmt.Errorf("--bench: %w", err), "")
	}
	var names []string
	var out []result.Profiled[T]
	for _, c := range cases {
		if names = append(names, c.Name); match(c.Name) {
			out = append(out, c)
		}
	}
	if len(out) > 0 || len(cases) == 0 {
		return out, nil
	}
	err = fmt.Errorf("nothing that was %s matches --bench %q", done, pattern)
	if file != "" {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return nil, failed(err, nearBench(pattern, names))
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

// nearBench names a few of the benchmarks that there are, those first that have most in
// common with what was typed.
func nearBench(typed string, names []string) string {
	const few = 3
	names = slices.Clone(names)
	slices.Sort(names)
	names = slices.Compact(names)
	typed = strings.ToLower(strings.TrimPrefix(typed, "Benchmark"))
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(common(typed, strings.ToLower(b)), common(typed, strings.ToLower(a))), cmp.Compare(len(a), len(b)))
	})
	if n := len(names); n > few+1 {
		return "there is " + strings.Join(names[:few], ", ") + fmt.Sprintf(", and %d more", n-few)
	}
	return "there is " + strings.Join(names, ", ")
}

// common is the length of the longest text that is in both, in bytes.
func common(a, b string) (most int) {
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
