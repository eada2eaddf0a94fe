package listing

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// glyphs are the characters a listing is drawn with: those of UTF-8 or their ASCII
// twins.
type glyphs struct {
	utf8     bool
	lines    [16]string // by the directions that have a line: up, down, left, right
	head     string     // of an arrow
	self     string     // a jump to itself
	up, down string     // a jump that leaves what is shown
	skid     string
	bars     []string // the higher, the hotter
	inlined  string   // before the name of an inlined function
	sep      string
	ellipsis string
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
			bars: strings.Split(" .:-=+*#", ""), sep: " | ", ellipsis: "~", pm: "+/-", to: "-", dots: "..", none: "-",
		}
	}
	return glyphs{
		utf8:  true,
		lines: [16]string(strings.Split(" │││─╯╮┤─╰╭├─┴┬┼", "")),
		head:  "→", self: "↺", up: "↑", down: "↓", skid: "‹", inlined: "↳ ",
		bars: strings.Split(" ▁▂▃▄▅▆▇█", ""), sep: " · ", ellipsis: "…", pm: "±", to: "–", dots: "…", none: "–",
	}
}

// clean makes foreign text printable: one line, no control characters, nothing that
// reorders or hides text. Tabs are blanks. Without UTF-8 every other character is
// escaped, too, never replaced by a look-alike.
func (g glyphs) clean(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= ' ' && s[i] <= '~'
	}
	if plain {
		return s
	}
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
		s = strings.NewReplacer("·", "|", "…", "...", "±", "+/-", "–", "-", "‹", "<", "×", "x", "≥", ">=", "→", "->", "µ", "u").Replace(s)
	}
	return g.clean(s)
}

// width is the number of columns that s takes, counted in runes.
func width(s string) int { return utf8.RuneCountInString(s) }

// middle cuts s to n columns in the middle.
func (g glyphs) middle(s string, n int) string {
	if width(s) <= n {
		return s
	}
	r := []rune(s)
	if n <= 2 {
		return string(r[:max(n, 0)])
	}
	tail := (n - 1) / 2
	return string(r[:n-1-tail]) + g.ellipsis + string(r[len(r)-tail:])
}

// end cuts s to n columns at its end: source text says most at its beginning.
func (g glyphs) end(s string, n int) string {
	if width(s) <= n {
		return s
	}
	if n < 2 {
		return ""
	}
	return string([]rune(s)[:n-1]) + g.ellipsis
}

// pad is n blanks.
func pad(n int) string { return strings.Repeat(" ", max(n, 0)) }

// fillRight makes s n columns wide with blanks behind it.
func fillRight(s string, n int) string { return s + pad(n-width(s)) }

// fillLeft makes s n columns wide with blanks before it.
func fillLeft(s string, n int) string { return pad(n-width(s)) + s }

// wrap breaks s at blanks into lines of at most n columns; a longer word loses its
// middle.
func (g glyphs) wrap(s string, n int) []string {
	var lines []string
	for _, word := range strings.Fields(s) {
		word = g.middle(word, n)
		k := len(lines) - 1
		if k >= 0 && width(lines[k])+1+width(word) <= n {
			lines[k] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// join puts items side by side with g.sep between them, and breaks the line where the
// next does not fit.
func (g glyphs) join(items []string, n int) []string {
	var lines []string
	for _, it := range items {
		if k := len(lines) - 1; k >= 0 && width(lines[k])+width(g.sep)+width(it) <= n {
			lines[k] += g.sep + it
			continue
		}
		lines = append(lines, g.wrap(it, n)...)
	}
	return lines
}
