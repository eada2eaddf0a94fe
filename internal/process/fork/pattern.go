package fork

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Pattern returns a -bench pattern for the benchmark name, which lacks the "Benchmark", and its
// sub-benchmarks. testing splits patterns at slashes, so each part is quoted and anchored by itself.
func Pattern(name string) string {
	parts := strings.Split("Benchmark"+name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// subPattern matches what Pattern matches, except name itself. A benchmark with a result has no
// sub-benchmarks, but a function may run both "a" and "a/b".
func subPattern(name string) string { return Pattern(name) + "/" }

// groupPatterns returns the -bench pattern that selects benchmarks by their names, and the -skip pattern that keeps their
// sub-benchmarks out.
func groupPatterns(names []string) (bench, skip string) {
	for _, n := range names {
		bench, skip = anyOf(bench, Pattern(n)), anyOf(skip, subPattern(n))
	}
	return bench, skip
}

// maxPattern is the length from which a pattern may be too long for an argument of a process, in bytes.
const maxPattern = 100 << 10

// CanShare reports whether one process can select benchmarks by their names. It cannot select both "a" and "a/b".
func CanShare(names []string) bool {
	for _, n := range names {
		if slices.ContainsFunc(names, func(m string) bool { return strings.HasPrefix(m, n+"/") }) {
			return false
		}
	}
	_, skip := groupPatterns(names)
	return len(skip) <= maxPattern
}

// splitPattern splits a -bench pattern as package testing documents it: alternatives separated by |, each a
// list of regexps separated by /. Separators that are escaped, in brackets or in parentheses do not count.
func splitPattern(pattern string) [][]string {
	var alts [][]string
	var parts []string
	depth, class, from := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			class++
		case c == ']':
			class = max(0, class-1)
		case class > 0:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth > 0:
		case c == '/':
			parts, from = append(parts, pattern[from:i]), i+1
		case c == '|':
			alts, parts, from = append(alts, append(parts, pattern[from:i])), nil, i+1
		}
	}
	return append(alts, append(parts, pattern[from:]))
}

// restrictTo restricts a selection to one benchmark function. It returns false if the pattern does not match
// the function.
func restrictTo(w Selection, function string) (Selection, bool) {
	var alts []string
	for _, parts := range splitPattern(w.Bench) {
		re, err := regexp.Compile(rewrite(parts[0]))
		if err != nil || !re.MatchString("Benchmark"+function) {
			continue
		}
		parts[0] = Pattern(function)
		alts = append(alts, strings.Join(parts, "/"))
	}
	w.Bench = strings.Join(alts, "|")
	return w, len(alts) > 0
}

// rewrite escapes white space and unprintable characters in a part of a pattern, as testing does there and in names.
func rewrite(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte('_')
		case !strconv.IsPrint(r):
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// anyOf returns a pattern that matches what a or b matches.
func anyOf(a, b string) string {
	if a == "" {
		return b
	}
	return a + "|" + b
}

// CheckPattern returns an error if pattern is not valid for -bench or -skip.
func CheckPattern(pattern string) error {
	for _, parts := range splitPattern(pattern) {
		for _, p := range parts {
			if _, err := regexp.Compile(rewrite(p)); err != nil {
				return err
			}
		}
	}
	return nil
}
