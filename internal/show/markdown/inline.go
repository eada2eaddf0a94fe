package markdown

import (
	"regexp"
	"strconv"
	"strings"
)

// The kinds of parts that a line has.
const (
	textKind = iota
	codeKind
	boldKind // two asterisks
)

// inline is a part of a line.
type inline struct {
	kind int
	text string // as it is seen
}

// joinInline joins neighbours of one kind: of two pieces of code side by side the backquotes would be read as one run, and a word
// in two texts would be examined by halves.
func joinInline(parts []inline) (out []inline) {
	for len(parts) > 0 {
		n := 1
		for n < len(parts) && parts[n].kind == parts[0].kind && parts[0].kind != boldKind {
			n++
		}
		var text strings.Builder
		for _, p := range parts[:n] {
			text.WriteString(p.text)
		}
		out, parts = append(out, inline{parts[0].kind, text.String()}), parts[n:]
	}
	return out
}

// writeInline writes the parts of a line.
func writeInline(parts []inline) string {
	var b strings.Builder
	for i, p := range parts {
		text := p.text
		switch {
		case p.kind == codeKind && isGlued(parts[:i]):
			text = code(text, "|@")
		case p.kind == codeKind:
			text = Code(text)
		case p.kind == textKind:
			text = quote(text)
			if i == 0 {
				text = quoteStart(text)
			}
		}
		b.WriteString(text)
	}
	return b.String()
}

// isGlued reports whether what follows parts is not the beginning of a word. Some translators search for mail addresses before they
// search for backquotes, which a mail address may have.
func isGlued(parts []inline) bool {
	for len(parts) > 0 && parts[len(parts)-1].kind == boldKind {
		parts = parts[:len(parts)-1]
	}
	return len(parts) > 0 && !endsBlank(parts[len(parts)-1])
}

func beginsBlank(p inline) bool { return p.kind == textKind && strings.HasPrefix(p.text, " ") }

func endsBlank(p inline) bool { return p.kind == textKind && strings.HasSuffix(p.text, " ") }

// rebuildLine writes the text of a line, or of a cell, anew.
func rebuildLine(s string) string {
	var parts []inline
	for _, p := range readInline(s) {
		if p.kind != textKind {
			parts = append(parts, p)
			continue
		}
		parts = append(parts, textParts(charset.Name(p.text))...)
	}
	return writeInline(joinInline(parts))
}

// readInline splits a line, as this package writes lines. What is not written so is text.
func readInline(s string) (parts []inline) {
	for s != "" {
		p, n := nextInline(s)
		parts = append(parts, p)
		s = s[n:]
	}
	checkBold(parts)
	return joinInline(parts)
}

// checkBold makes text of asterisks that are not around something, as Markdown does.
func checkBold(parts []inline) {
	begin := -1
	for i, p := range parts {
		switch {
		case p.kind != boldKind:
		case begin >= 0 && i > begin+1 && !beginsBlank(parts[begin+1]) && !endsBlank(parts[i-1]):
			begin = -1
		default:
			if begin >= 0 {
				parts[begin].kind = textKind
			}
			begin = i
		}
	}
	if begin >= 0 {
		parts[begin].kind = textKind
	}
}

var (
	htmlCode  = regexp.MustCompile(`^<code>([^<]*)</code>`)
	entity    = regexp.MustCompile(`&(?:#[0-9]{2,3}|lt|gt|amp);`)
	atEntity  = regexp.MustCompile(`^` + entity.String())
	backslash = regexp.MustCompile("^\\\\[!-/:-@\\[-`{-~]")
)

// nextInline returns the first part of a text, and how many bytes it takes there.
func nextInline(s string) (p inline, n int) {
	switch s[0] {
	case '`':
		if text, n := readSpan(s); n > 0 {
			return inline{codeKind, text}, n
		}
		n = run(s)
		return inline{textKind, s[:n]}, n
	case '<':
		if m := htmlCode.FindStringSubmatch(s); m != nil {
			return inline{codeKind, decode(m[1])}, len(m[0])
		}
	case '*':
		if strings.HasPrefix(s, "**") {
			return inline{boldKind, "**"}, 2
		}
	case '\\':
		if m := backslash.FindString(s); m != "" {
			return inline{textKind, m[1:]}, len(m)
		}
	case '&':
		if m := atEntity.FindString(s); m != "" {
			return inline{textKind, decode(m)}, len(m)
		}
	}
	if n = 1 + strings.IndexAny(s[1:], "`<*\\&"); n == 0 {
		n = len(s)
	}
	return inline{textKind, s[:n]}, n
}

// decode replaces the entities that this package writes by their characters.
func decode(s string) string {
	return entity.ReplaceAllStringFunc(s, func(e string) string {
		switch e {
		case "&lt;":
			return "<"
		case "&gt;":
			return ">"
		case "&amp;":
			return "&"
		}
		if c, err := strconv.Atoi(e[2 : len(e)-1]); err == nil && c >= ' ' && c <= '~' {
			return string(rune(c))
		}
		return e
	})
}

// run returns how many backquotes a text begins with.
func run(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// readSpan returns the text of code between backquotes, and how many bytes it takes with them; 0 if they are not closed.
func readSpan(s string) (text string, n int) {
	fence := run(s)
	for at := fence; at < len(s); {
		next := strings.IndexByte(s[at:], '`')
		if next < 0 {
			break
		}
		at += next
		if n = run(s[at:]); n == fence {
			text = s[fence:at]
			if strings.HasPrefix(text, " ") && strings.HasSuffix(text, " ") && strings.Trim(text, " ") != "" {
				text = text[1 : len(text)-1]
			}
			return text, at + fence
		}
		at += n
	}
	return "", 0
}
