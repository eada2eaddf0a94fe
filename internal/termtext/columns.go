package termtext

import (
	"strings"
	"unicode/utf8"
)

// Width is the number of columns that s takes.
func Width(s string) int { return utf8.RuneCountInString(s) }

// Pad is n blanks, none if n is negative.
func Pad(n int) string { return strings.Repeat(" ", max(n, 0)) }

// Left makes s n columns wide with blanks behind it.
func Left(s string, n int) string { return s + Pad(n-Width(s)) }

// Right makes s n columns wide with blanks before it.
func Right(s string, n int) string { return Pad(n-Width(s)) + s }

// Ellipsis stands for what was left out.
func (c Charset) Ellipsis() string {
	if c.UTF8 {
		return "…"
	}
	return "~"
}

// Gap is where a text is cut.
type Gap int

const (
	InTheMiddle  Gap = iota
	NearTheFront     // the end tells most
	NearTheEnd
)

// Middle cuts s to n columns in the middle: names differ at both ends.
func (c Charset) Middle(s string, n int) string { return c.Cut(s, n, InTheMiddle) }

// Cut cuts s to n columns.
func (c Charset) Cut(s string, n int, gap Gap) string {
	if Width(s) <= n {
		return s
	}
	r := []rune(s)
	if n <= 2 {
		return string(r[:max(n, 0)])
	}
	tail := (n - 1) * [...]int{InTheMiddle: 2, NearTheFront: 3, NearTheEnd: 1}[gap] / 4
	return string(r[:n-1-tail]) + c.Ellipsis() + string(r[len(r)-tail:])
}

// Head cuts s to n columns at its end.
func (c Charset) Head(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	if n < 2 {
		return ""
	}
	return string([]rune(s)[:n-1]) + c.Ellipsis()
}
