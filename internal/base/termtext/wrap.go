package termtext

import "strings"

// Wrap breaks s at blanks into lines of at most n columns. Blanks inside a line stay as
// they are; a word longer than a line is not broken, so that a command or a path can
// still be copied.
func Wrap(s string, n int) []string {
	var lines []string
	line, gap := "", ""
	for s != "" {
		word := s
		if i := strings.IndexByte(s, ' '); i >= 0 {
			word = s[:i]
		}
		s = s[len(word):]
		if line != "" && Width(line)+Width(gap)+Width(word) > n {
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

// Fit is Wrap where no line may be longer: a longer word loses its middle. Between words
// is one blank. A number and what follows it stay together, and so do a word and the
// separator behind it.
func (c Charset) Fit(s string, n int) []string {
	var words []string
	for _, w := range strings.Fields(s) {
		if k := len(words) - 1; k >= 0 && Width(words[k])+1+Width(w) <= n && (endsInDigit(words[k]) || w == "·" || w == "|") {
			words[k] += " " + w
			continue
		}
		words = append(words, w)
	}
	return Join(words, " ", n, func(w string, n int) []string { return []string{c.Middle(w, n)} })
}

func endsInDigit(s string) bool {
	return s[len(s)-1] >= '0' && s[len(s)-1] <= '9'
}

// Join puts items side by side with sep between them, and breaks the line where the next
// does not fit. An item longer than a line is broken by wrap.
func Join(items []string, sep string, n int, wrap func(string, int) []string) []string {
	var lines []string
	for _, it := range items {
		if k := len(lines) - 1; k >= 0 && Width(lines[k])+Width(sep)+Width(it) <= n {
			lines[k] += sep + it
			continue
		}
		lines = append(lines, wrap(it, n)...)
	}
	return lines
}
