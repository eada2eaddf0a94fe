package termtext

import "strings"

// Style is how a piece of text stands out on a terminal: the number of an ANSI escape
// sequence.
type Style string

const (
	Normal Style = ""
	Bold   Style = "1"
	Dim    Style = "2"
	Red    Style = "31"
	Green  Style = "32"
	Yellow Style = "33"
	Cyan   Style = "36"
	Hot    Style = "1;31" // bold and red
)

// Paint colours s without the blanks around it, so that blanks at the end of a line can
// still be cut off; not at all if there is no color.
func (st Style) Paint(s string, color bool) string {
	core := strings.Trim(s, " ")
	if !color || st == Normal || core == "" {
		return s
	}
	i := strings.Index(s, core)
	return s[:i] + "\x1b[" + string(st) + "m" + core + "\x1b[0m" + s[i+len(core):]
}
