package structs

import (
	"regexp"
	"strconv"
	"strings"
)

func matches(re, s string) bool { return regexp.MustCompile(re).MatchString(s) }

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// splitArgs splits at blanks outside of brackets.
func splitArgs(s string) (args []string) {
	depth, from := 0, 0
	for i, r := range s {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == ' ' && depth == 0:
			args = append(args, s[from:i])
			from = i + 1
		}
	}
	return append(args, strings.TrimSpace(s[from:]))
}
