package listing

import (
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
)

// glyphs are the characters a listing is drawn with: those of UTF-8 or their ASCII
// twins.
type glyphs struct {
	termtext.Charset
	lines    [16]string // by the directions that have a line: up, down, left, right
	head     string     // of an arrow
	self     string     // a jump to itself
	up, down string     // a jump that leaves what is shown
	skid     string
	bars     []string // the higher, the hotter
	inlined  string   // before the name of an inlined function
	sep      string
	pm       string
	to       string // in a range
	dots     string // between the bounds of an interval
	none     string
}

func newGlyphs(utf bool) glyphs {
	if !utf {
		return glyphs{
			lines: [16]string(strings.Split(" |||-'.+-'.+-+++", "")),
			head:  ">", self: "@", up: "^", down: "v", skid: "<", inlined: "`- ",
			bars: strings.Split(" .:-=+*#", ""), sep: " | ", pm: "+/-", to: "-", dots: "..", none: "-",
		}
	}
	return glyphs{
		Charset: termtext.Charset{UTF8: true},
		lines:   [16]string(strings.Split(" │││─╯╮┤─╰╭├─┴┬┼", "")),
		head:    "→", self: "↺", up: "↑", down: "↓", skid: "‹", inlined: "↳ ",
		bars: strings.Split(" ▁▂▃▄▅▆▇█", ""), sep: " · ", pm: "±", to: "–", dots: "…", none: "–",
	}
}

// join puts items side by side with g.sep between them, in lines of n columns.
func (g glyphs) join(items []string, n int) []string { return termtext.Join(items, g.sep, n, g.Fit) }
