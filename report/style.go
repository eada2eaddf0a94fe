package report

import "strings"

// style is how a piece of text stands out on a terminal: the number of an ANSI
// escape sequence.
type style string

const (
	normal style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
)

// paint colours s without the blanks around it, so that blanks at the end of a
// line can still be cut off.
func (st style) paint(s string, color bool) string {
	core := strings.Trim(s, " ")
	if !color || st == normal || core == "" {
		return s
	}
	i := strings.Index(s, core)
	return s[:i] + "\x1b[" + string(st) + "m" + core + "\x1b[0m" + s[i+len(core):]
}
