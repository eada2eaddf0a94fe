package termtext

import (
	"strings"
	"unicode/utf8"
)

// Visible returns a text of any number of lines without characters that a
// terminal would obey. Names of files and benchmarks, and what servers answer,
// may contain them.
func Visible(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = Charset{UTF8: true}.Line(l)
	}
	return strings.Join(lines, "\n")
}

// OneLine joins the lines of a text by semicolons. Empty lines are left out.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}

// Clip returns the first n characters of a text, the last one … if there are
// more. Characters that a terminal would obey, and those that are not seen,
// become question marks.
func Clip(s string, n int) string {
	r := []rune(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !isVisible(r) {
			return '?'
		}
		return r
	}, s))
	if len(r) > n {
		r = append(r[:n-1], '…')
	}
	return string(r)
}
