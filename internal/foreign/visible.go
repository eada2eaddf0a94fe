package foreign

import (
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Visible is text in which what a terminal would obey, or not show, is quoted as in Go: \x1b.
func Visible(text string) string { return VisibleHead(text, math.MaxInt) }

// VisibleHead is the same of a text that may be long: after n bytes it ends with dots.
func VisibleHead(text string, n int) string {
	var b strings.Builder
	for _, r := range text {
		if b.Len() > n {
			b.WriteString("...")
			break
		}
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		q := strconv.QuoteRune(r)
		b.WriteString(q[1 : len(q)-1])
	}
	return b.String()
}
