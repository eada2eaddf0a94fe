package termtext

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Width returns the number of display cells that s takes: 2 for 日, 0 for an accent that is
// put on the letter before it. Characters whose width depends on the terminal take 1.
func Width(s string) int {
	if isPlain(s) {
		return len(s)
	}
	return uniseg.StringWidth(s)
}

// Pad returns n blanks, none if n is negative.
func Pad(n int) string { return strings.Repeat(" ", max(n, 0)) }

// Left returns s padded on the right to n cells.
func Left(s string, n int) string { return s + Pad(n-Width(s)) }

// Right returns s padded on the left to n cells.
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

// Middle cuts s to n cells in the middle: names differ at both ends.
func (c Charset) Middle(s string, n int) string { return c.Cut(s, n, InTheMiddle) }

// Cut cuts s to at most n cells.
func (c Charset) Cut(s string, n int, gap Gap) string {
	if Width(s) <= n {
		return s
	}
	if n <= 2 {
		return first(s, n)
	}
	tail := (n - 1) * [...]int{InTheMiddle: 2, NearTheFront: 3, NearTheEnd: 1}[gap] / 4
	return first(s, n-1-tail) + c.Ellipsis() + last(s, tail)
}

// Head cuts s to at most n cells at its end.
func (c Charset) Head(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	if n < 2 {
		return ""
	}
	return first(s, n-1) + c.Ellipsis()
}

// Chop breaks s into pieces of at most n cells, wherever it is too long.
func Chop(s string, n int) []string {
	var out []string
	for Width(s) > n {
		piece := first(s, n)
		if piece == "" { // one character is wider
			break
		}
		out = append(out, piece)
		s = s[len(piece):]
	}
	return append(out, s)
}

// first returns the beginning of s that has room in n cells.
func first(s string, n int) string {
	if isPlain(s) {
		return s[:max(min(n, len(s)), 0)]
	}
	end, state := 0, -1
	for rest := s; rest != ""; {
		var cluster string
		var width int
		cluster, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if n -= width; n < 0 {
			break
		}
		end += len(cluster)
	}
	return s[:end]
}

// last returns the end of s that has room in n cells.
func last(s string, n int) string {
	if isPlain(s) {
		return s[max(len(s)-n, 0):]
	}
	width, state := Width(s), -1
	for width > n && s != "" {
		var w int
		_, s, w, state = uniseg.FirstGraphemeClusterInString(s, state)
		width -= w
	}
	return s
}
