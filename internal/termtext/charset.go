package termtext

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Charset is the characters that a text may have: those of UTF-8 or, as the zero value
// has it, those of ASCII.
type Charset struct{ UTF8 bool }

// Name makes foreign text printable: one line, no control characters, nothing that
// reorders or hides text. They are escaped as in Go. Without UTF-8 every other character
// is escaped too, never replaced by a look-alike, so that two names cannot become one.
func (c Charset) Name(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i])|0x100, 16)[1:])
		case !strconv.IsPrint(r), r >= utf8.RuneSelf && !c.UTF8:
			b.WriteString(escape(r))
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// Line is Name of a text in which tabs are blanks, such as source code.
func (c Charset) Line(s string) string { return c.Name(strings.ReplaceAll(s, "\t", " ")) }

// twins are what stands for the characters of our own sentences in ASCII.
var twins = strings.NewReplacer("µ", "u", "μ", "u", "×", "x", "·", "|", "…", "...", "±", "+/-", "≥", ">=", "≤", "<=", "≈", "~",
	"→", "->", "‹", "<", "–", "-", "—", "-", "−", "-", "’", "'", "“", `"`, "”", `"`, "\u00a0", " ", "\u202f", " ")

// Text makes a sentence of ours printable: as Name does, but without UTF-8 the characters
// that our sentences use become their twins.
func (c Charset) Text(s string) string {
	if !c.UTF8 {
		s = twins.Replace(s)
	}
	return c.Name(s)
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
