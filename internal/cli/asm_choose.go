package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// chosen are the cases of a record that a pattern names.
func chosen(cases []sampled, pattern string) ([]sampled, error) {
	match, err := benchmarkMatcher(pattern)
	if err != nil {
		return nil, usage(fmt.Errorf("--bench: %w", err), "")
	}
	var names []string
	for _, c := range cases {
		if !slices.Contains(names, c.name) {
			names = append(names, c.name)
		}
	}
	cases = slices.DeleteFunc(cases, func(c sampled) bool { return !match(c.name) })
	if len(cases) == 0 {
		const most = 8
		list := strings.Join(names[:min(most, len(names))], ", ")
		if len(names) > most {
			list += fmt.Sprintf(" and %d more", len(names)-most)
		}
		return nil, usage(fmt.Errorf("--bench %s matches nothing that was sampled", pattern), "there is "+list)
	}
	return cases, nil
}

// benchmarkMatcher reads a pattern as go test -bench does: elements between slashes
// are for those of the name, and a name without "Benchmark" stands for one with it.
func benchmarkMatcher(pattern string) (func(name string) bool, error) {
	var elements []*regexp.Regexp
	for _, e := range splitPattern(pattern) {
		re, err := regexp.Compile(e)
		if err != nil {
			return nil, err
		}
		elements = append(elements, re)
	}
	return func(name string) bool {
		for i, part := range strings.Split("Benchmark"+name, "/") {
			if i < len(elements) && !elements[i].MatchString(part) {
				return false
			}
		}
		return true
	}, nil
}

// splitPattern splits at slashes that are in no brackets.
func splitPattern(pattern string) []string {
	var out []string
	class, group, start := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			class++
		case c == ']':
			class = max(class-1, 0) // one of its own is a character like others
		case c == '(' && class == 0:
			group++
		case c == ')' && class == 0:
			group--
		case c == '/' && class == 0 && group == 0:
			out, start = append(out, pattern[start:i]), i+1
		}
	}
	return append(out, pattern[start:])
}

// parseHot reads the threshold of regions, where nothing and all of the samples make sense, too.
func parseHot(s string) (float64, error) {
	num, pct := strings.CutSuffix(strings.TrimSpace(s), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(num), 64)
	if pct {
		x /= 100
	}
	switch {
	case err != nil || !(x >= 0 && x <= 1):
		return 0, fmt.Errorf("--hot: %q is not a share such as 10%% or 0.1, from 0 to 100%%", s)
	case x == 0:
		return -1, nil // what a Config has for all of them
	}
	return x, nil
}
