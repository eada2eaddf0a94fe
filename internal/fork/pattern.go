package fork

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Pattern matches the benchmark of the given name, which lacks the "Benchmark",
// and those below it. testing splits patterns at slashes, so each part is quoted
// and anchored by itself.
func Pattern(name string) string {
	parts := strings.Split("Benchmark"+name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// below matches what Pattern matches besides the name itself. A benchmark has
// none below it if it has a result, but a sister may be called as if she were:
// a function may run both "a" and "a/b".
func below(name string) string { return Pattern(name) + "/" }

// split takes a pattern of -bench apart as package testing documents it:
// alternatives separated by |, each a list of regexps separated by /, neither
// within brackets or parentheses nor escaped.
func split(pattern string) [][]string {
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

// narrow restricts what is wanted to one benchmark function. It reports false
// if the pattern does not match the function.
func narrow(w Wanted, top string) (Wanted, bool) {
	var alts []string
	for _, parts := range split(w.Bench) {
		re, err := regexp.Compile(rewrite(parts[0]))
		if err != nil || !re.MatchString("Benchmark"+top) {
			continue
		}
		parts[0] = Pattern(top)
		alts = append(alts, strings.Join(parts, "/"))
	}
	w.Bench = strings.Join(alts, "|")
	return w, len(alts) > 0
}

// rewrite does to a part of a pattern what testing does to it, and to names:
// nothing but printable characters and no white space.
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

// alternative joins two patterns of which either may match.
func alternative(a, b string) string {
	if a == "" {
		return b
	}
	return a + "|" + b
}

// CheckPattern reports what is wrong with a pattern of -bench or -skip.
func CheckPattern(pattern string) error {
	for _, parts := range split(pattern) {
		for _, p := range parts {
			if _, err := regexp.Compile(rewrite(p)); err != nil {
				return err
			}
		}
	}
	return nil
}
