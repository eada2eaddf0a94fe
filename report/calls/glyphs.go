package calls

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// glyphs are the characters a text is drawn with: those of UTF-8 or their ASCII twins.
type glyphs struct {
	utf8                    bool
	branch, last, down, gap string // of a tree
	back                    string // before a call that leads back
	arrow, sep, ellipsis    string
}

func newGlyphs(utf bool) glyphs {
	if !utf {
		return glyphs{branch: "|- ", last: "`- ", down: "|  ", gap: "   ", back: "^ ", arrow: " > ", sep: " | ", ellipsis: "~"}
	}
	return glyphs{utf8: true, branch: "├─ ", last: "└─ ", down: "│  ", gap: "   ", back: "↺ ", arrow: " → ", sep: " · ", ellipsis: "…"}
}

// clean makes foreign text printable: one line, no control characters, nothing that
// reorders or hides text. Without UTF-8 every other character is escaped, too, never
// replaced by a look-alike.
func (g glyphs) clean(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i])|0x100, 16)[1:])
		case r == '\t':
			b.WriteByte(' ')
		case !strconv.IsPrint(r), r >= utf8.RuneSelf && !g.utf8:
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// own makes a sentence of ours printable: without UTF-8 its characters become their
// twins.
func (g glyphs) own(s string) string {
	if !g.utf8 {
		s = strings.NewReplacer("·", "|", "…", "...", "±", "+/-", "×", "x", "≈", "~", "≥", ">", "→", "->", "µ", "u").Replace(s)
	}
	return g.clean(s)
}

// width is the number of columns that s takes, counted in runes.
func width(s string) int { return utf8.RuneCountInString(s) }

// middle cuts s to n columns in the middle: the end of a name tells most.
func (g glyphs) middle(s string, n int) string {
	if width(s) <= n {
		return s
	}
	r := []rune(s)
	n = max(n, 2)
	head := (n - 1) / 3
	return string(r[:head]) + g.ellipsis + string(r[len(r)-(n-1-head):])
}

// pad is n blanks.
func pad(n int) string { return strings.Repeat(" ", max(n, 0)) }

// wrap breaks s at blanks into lines of at most n columns; a longer word loses its
// middle. A number and what follows it are one word, and so are a word and the separator
// behind it.
func (g glyphs) wrap(s string, n int) []string {
	var words, lines []string
	for _, w := range strings.Fields(s) {
		if k := len(words) - 1; k >= 0 && width(words[k])+width(w) < n && (endsInDigit(words[k]) || w == strings.TrimSpace(g.sep)) {
			words[k] += " " + w
			continue
		}
		words = append(words, w)
	}
	for _, word := range words {
		word = g.middle(word, n)
		if k := len(lines) - 1; k >= 0 && width(lines[k])+1+width(word) <= n {
			lines[k] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

func endsInDigit(s string) bool { return s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

// join puts items behind a beginning, side by side with sep between them, and breaks the
// line where the next does not fit; further lines begin with the indent.
func (g glyphs) join(begin string, items []string, sep, indent string, n int) []string {
	end := strings.TrimRight(sep, " ") // of a line that goes on
	lines := []string{begin}
	empty := true // the last line has no item yet
	for _, it := range items {
		it = g.middle(it, n-width(indent)-width(end))
		k := len(lines) - 1
		between := sep
		if empty {
			between = ""
		}
		if width(lines[k])+width(between)+width(it)+width(end) <= n {
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
