package report

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// glyphs are the characters a report for people is drawn with: those of UTF-8
// or their ASCII twins.
type glyphs struct {
	utf8     bool
	sep      string // between items of a line
	times    string
	dots     string // between the bounds of an interval
	to       string // in a range of whole numbers
	pm       string
	ge       string
	micro    string
	ellipsis string // in a shortened name
	none     string // where there is no figure
	arrow    string // from a doubt to its advice
	sub      string // before a row that belongs to the row above (Markdown)
	spark    []string
}

func newGlyphs(utf bool) glyphs {
	if !utf {
		return glyphs{
			sep: " | ", times: "x", dots: " .. ", to: "-", pm: "+/-", ge: ">=", micro: "u", ellipsis: "~", none: "-", arrow: "->", sub: "> ",
			spark: strings.Split("_.-=+*%#", ""),
		}
	}
	return glyphs{
		utf8: true,
		sep:  " · ", times: "×", dots: " … ", to: "–", pm: "±", ge: "≥", micro: "µ", ellipsis: "…", none: "–", arrow: "→", sub: "↳ ",
		spark: strings.Split("▁▂▃▄▅▆▇█", ""),
	}
}

// mark is the mark of footnote n, from 1.
func (g glyphs) mark(n int) string {
	s := strconv.Itoa(n)
	if !g.utf8 {
		return "[" + s + "]"
	}
	return strings.Map(func(r rune) rune { return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0'] }, s)
}

// name makes a name printable: one line, no control characters, nothing that
// reorders or hides text. Without UTF-8 every other character is escaped too,
// never replaced by a look-alike, so that two names cannot become one.
func (g glyphs) name(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i])|0x100, 16)[1:])
		case !strconv.IsPrint(r), r >= utf8.RuneSelf && !g.utf8:
			b.WriteString(escape(r))
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// text makes a sentence printable: as name does, but without UTF-8 the
// characters that our own warnings use become their twins.
func (g glyphs) text(s string) string {
	if !g.utf8 {
		s = strings.NewReplacer("µ", "u", "μ", "u", "×", "x", "·", "|", "…", "...", "±", "+/-", "≥", ">=", "≤", "<=",
			"→", "->", "–", "-", "—", "-", "−", "-", "’", "'", "“", `"`, "”", `"`, "\u00a0", " ", "\u202f", " ").Replace(s)
	}
	return g.name(s)
}

// plain tells whether s consists of printable ASCII.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// escape is r as in a Go string literal: \n, \x1b, \u202e.
func escape(r rune) string {
	q := strconv.QuoteRuneToASCII(r)
	return q[1 : len(q)-1]
}

// width is the number of columns that s takes. Names are counted in runes:
// which of them take two columns depends on the terminal.
func width(s string) int { return utf8.RuneCountInString(s) }

// shorten cuts s to n columns in the middle: benchmark names differ at both
// ends.
func (g glyphs) shorten(s string, n int) string { return g.cut(s, n, 0) }

// cut is shorten with the gap in the middle (0), nearer to the front (1) or
// nearer to the end (2).
func (g glyphs) cut(s string, n, where int) string {
	if width(s) <= n {
		return s
	}
	r := []rune(s)
	if n <= 2 {
		return string(r[:max(n, 0)])
	}
	tail := (n - 1) * [3]int{2, 3, 1}[where] / 4
	head := n - 1 - tail
	return string(r[:head]) + g.ellipsis + string(r[len(r)-tail:])
}

// wrap breaks s at blanks into lines of at most n columns. Blanks inside a line
// stay as they are; a word longer than a line is not broken, so that a command
// or a path can still be copied.
func wrap(s string, n int) []string {
	var lines []string
	line, gap := "", ""
	for s != "" {
		word := s
		if i := strings.IndexByte(s, ' '); i >= 0 {
			word = s[:i]
		}
		s = s[len(word):]
		if line != "" && width(line)+width(gap)+width(word) > n {
			lines = append(lines, line)
			line, gap = "", ""
		}
		line += gap + word
		rest := strings.TrimLeft(s, " ")
		gap, s = s[:len(s)-len(rest)], rest
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// join puts items side by side with g.sep between them, and breaks the line
// where the next does not fit.
func (g glyphs) join(items []string, n int) []string {
	var lines []string
	for _, it := range items {
		if k := len(lines) - 1; k >= 0 && width(lines[k])+width(g.sep)+width(it) <= n {
			lines[k] += g.sep + it
			continue
		}
		lines = append(lines, wrap(it, n)...)
	}
	return lines
}
