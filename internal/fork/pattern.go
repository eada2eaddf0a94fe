package fork

import (
	"regexp"
	"strings"
)

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
		re, err := regexp.Compile(parts[0])
		if err != nil || !re.MatchString("Benchmark"+top) {
			continue
		}
		parts[0] = Pattern(top)
		alts = append(alts, strings.Join(parts, "/"))
	}
	w.Bench = strings.Join(alts, "|")
	return w, len(alts) > 0
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
			if _, err := regexp.Compile(p); err != nil {
				return err
			}
		}
	}
	return nil
}
