package termtext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Charset is the characters that a text may have: those of UTF-8 or, as the zero value
// has it, those of ASCII.
type Charset struct{ UTF8 bool }

// Name makes foreign text printable: one line, no control characters, nothing that
// reorders or hides text. They are escaped as in Go. Without UTF-8 every other character
// is escaped too, never replaced by a look-alike, so that two names stay two names.
func (c Charset) Name(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x` + strconv.FormatUint(uint64(s[i])|0x100, 16)[1:])
		case !isVisible(r), r >= utf8.RuneSelf && !c.UTF8:
			b.WriteString(escape(r))
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// isVisible reports whether a character is seen. Fillers and selectors of variants are letters, symbols and marks by their
// category, and yet nothing is seen of them.
func isVisible(r rune) bool {
	return strconv.IsPrint(r) && r != brailleBlank && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

const brailleBlank = '\u2800'

// Line is Name of a text in which tabs are blanks, such as source code.
func (c Charset) Line(s string) string { return c.Name(strings.ReplaceAll(s, "\t", " ")) }

// twins lists the characters that our texts use beyond ASCII, each before its ASCII twin.
// Where two begin at the same place, the first in the list wins.
var twins = strings.NewReplacer(
	// between items, figures and bounds
	" … ", " .. ", "…", "...", " · ", " | ", "–", "-", "—", "-", "→", "->", "←", "<-", "‹", "<", "›", ">",
	// figures and units
	"·log₂n", "*log2(n)", "log₂n", "log2(n)", "²", "^2", "³", "^3", "−", "-", "±", "+/-", "×", "x",
	"≥", ">=", "≤", "<=", "≈", "~", "∞", "inf", "µ", "u", "μ", "u", "·", "|",
	// trees, jumps and rules
	"├", "|", "└", "`", "│", "|", "─", "-", "↳ ", "`- ", "↺", "^",
	// bars
	"▁", "_", "▂", ".", "▃", "-", "▄", "=", "▅", "+", "▆", "*", "▇", "%", "█", "#",
	// quotes and blanks
	"’", "'", "“", `"`, "”", `"`, "\u00a0", " ", "\u202f", " ")

// Text makes a text of ours printable: as Name does, but without UTF-8 the characters
// that our texts use become their twins. A name in the text must have been through Name.
func (c Charset) Text(s string) string {
	if isPlain(s) {
		return s
	}
	if !c.UTF8 {
		s = twins.Replace(s)
	}
	return c.Name(s)
}

// Mark returns the mark of footnote n, from 1: ¹², or [12] in ASCII.
func (c Charset) Mark(n int) string {
	s := strconv.Itoa(n)
	if !c.UTF8 {
		return "[" + s + "]"
	}
	return strings.Map(func(r rune) rune { return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0'] }, s)
}

// isPlain reports whether s consists of printable ASCII.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// escape returns r as in a Go string literal: \n, \x1b, \u202e.
func escape(r rune) string {
	q := strconv.QuoteRuneToASCII(r)
	return q[1 : len(q)-1]
}
