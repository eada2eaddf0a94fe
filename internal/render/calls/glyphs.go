package calls

import (
	"strings"

	"github.com/tarebench/tare/internal/termtext"
)

// glyphs are the characters a text is drawn with: those of UTF-8 or their ASCII twins.
type glyphs struct {
	termtext.Charset
	branch, last, down, gap string // of a tree
	back                    string // before a call that leads back
	arrow, sep              string
}

func newGlyphs(utf bool) glyphs {
	if !utf {
		return glyphs{branch: "|- ", last: "`- ", down: "|  ", gap: "   ", back: "^ ", arrow: " > ", sep: " | "}
	}
	return glyphs{Charset: termtext.Charset{UTF8: true}, branch: "├─ ", last: "└─ ", down: "│  ", gap: "   ", back: "↺ ", arrow: " → ", sep: " · "}
}

// middle cuts s to n columns: the end of a name tells most.
func (g glyphs) middle(s string, n int) string { return g.Cut(s, n, termtext.NearTheFront) }

// wrap breaks s at blanks into lines of at most n columns; a longer word loses its
// middle. A number and what follows it are one word, and so are a word and the separator
// behind it.
func (g glyphs) wrap(s string, n int) []string {
	var words []string
	for _, w := range strings.Fields(s) {
		if k := len(words) - 1; k >= 0 && termtext.Width(words[k])+termtext.Width(w) < n && (endsInDigit(words[k]) || w == strings.TrimSpace(g.sep)) {
			words[k] += " " + w
			continue
		}
		words = append(words, w)
	}
	return termtext.Join(words, " ", n, func(w string, n int) []string { return []string{g.middle(w, n)} })
}

func endsInDigit(s string) bool { return s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

// join puts items behind a beginning, side by side with sep between them, and breaks the
// line where the next does not fit; further lines begin with the indent.
func (g glyphs) join(begin string, items []string, sep, indent string, n int) []string {
	end := strings.TrimRight(sep, " ") // of a line that goes on
	lines := []string{begin}
	empty := true // the last line has no item yet
	for _, it := range items {
		it = g.middle(it, n-termtext.Width(indent)-termtext.Width(end))
		k := len(lines) - 1
		between := sep
		if empty {
			between = ""
		}
		if termtext.Width(lines[k])+termtext.Width(between)+termtext.Width(it)+termtext.Width(end) <= n {
			lines[k] += between + it
		} else {
			if !empty {
				lines[k] += end
			}
			lines = append(lines, indent+it)
		}
		empty = false
	}
	return lines
}
