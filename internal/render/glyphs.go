package render

import (
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/termtext"
)

// glyphs are the characters a report for people is drawn with: those of UTF-8
// or their ASCII twins.
type glyphs struct {
	termtext.Charset
	sep   string // between items of a line
	times string
	dots  string // between the bounds of an interval
	to    string // in a range of whole numbers
	pm    string
	ge    string
	micro string
	none  string // where there is no figure
	arrow string // from a doubt to its advice
	sub   string // before a row that belongs to the row above (Markdown)
	spark []string
}

func newGlyphs(utf bool) glyphs {
	if !utf {
		return glyphs{
			sep: " | ", times: "x", dots: " .. ", to: "-", pm: "+/-", ge: ">=", micro: "u", none: "-", arrow: "->", sub: "> ",
			spark: strings.Split("_.-=+*%#", ""),
		}
	}
	return glyphs{
		Charset: termtext.Charset{UTF8: true},
		sep:     " · ", times: "×", dots: " … ", to: "–", pm: "±", ge: "≥", micro: "µ", none: "–", arrow: "→", sub: "↳ ",
		spark: strings.Split("▁▂▃▄▅▆▇█", ""),
	}
}

// mark is the mark of footnote n, from 1.
func (g glyphs) mark(n int) string {
	s := strconv.Itoa(n)
	if !g.UTF8 {
		return "[" + s + "]"
	}
	return strings.Map(func(r rune) rune { return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0'] }, s)
}

// join puts items side by side with g.sep between them, in lines of n columns.
func (g glyphs) join(items []string, n int) []string {
	return termtext.Join(items, g.sep, n, termtext.Wrap)
}
