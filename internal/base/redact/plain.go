package redact

import (
	"html"
	"iter"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// plain is a text without escapes: those of URLs, JSON, Go, HTML and shells, and without control characters and what colors
// a terminal. The same secret is the same text in it, however it was escaped.
type plain struct {
	text string
	at   []place // of each byte, in the original; nil: it is the original
}

// place is a span of a text of less than 2 GiB, in half of the memory.
type place struct{ from, to int32 }

// escapes are the bytes with which what is escaped begins.
var escapes = func() (is [256]bool) {
	for c := range ' ' {
		is[c] = true
	}
	for _, c := range []byte{0x7f, 0xc2, '%', '\\', '&', '+', '\''} {
		is[c] = true
	}
	return is
}()

// mayBeEscaped reports whether a text may change without escapes. That it ends with a line does not count, nor does
// a +, of which base64 has many: blanks of a secret are searched for as such.
func mayBeEscaped(text string) bool {
	text = strings.TrimSuffix(text, "\n")
	for i := range len(text) {
		if escapes[text[i]] && (text[i] != 0xc2 || strings.HasPrefix(text[i:], "\u009b")) && text[i] != '\'' && text[i] != '+' {
			return true
		}
	}
	return false
}

// layers yields a text as it is, and then with one layer of escapes removed after the other: an escape may be escaped itself.
func layers(text string) iter.Seq[plain] {
	return func(yield func(plain) bool) {
		for p := (plain{text: text}); yield(p) && mayBeEscaped(p.text); {
			next := p.unescape()
			if next.text == p.text {
				return
			}
			p = next
		}
	}
}

// plainOf returns a text without any escapes.
func plainOf(text string) (p plain) {
	for p = range layers(text) {
	}
	return p
}

// span returns where a part of the text is in the original.
func (p plain) span(from, to int) span {
	if p.at == nil {
		return span{from, to}
	}
	return span{int(p.at[from].from), int(p.at[to-1].to)}
}

func (p plain) place(from, to int) place {
	at := p.span(from, to)
	return place{int32(at.from), int32(at.to)}
}

// beginsWord reports whether a word begins at an index. One also begins behind the letter of a flag, as in -pX, and behind
// the name of a secret, as in TOKENX.
func (p plain) beginsWord(i int) bool {
	if i == 0 || !isAlnum(p.text[i-1]) || p.at != nil && p.at[i-1].to != p.at[i].from {
		return true
	}
	return i > 1 && p.text[i-2] == '-' && (i == 2 || !isAlnum(p.text[i-3])) || SecretName(p.text[lastNot(p.text[:i], isNameByte)+1:i])
}

func (p plain) endsWord(end int) bool {
	return end == len(p.text) || !isAlnum(p.text[end]) || p.at != nil && p.at[end-1].to != p.at[end].from
}

// unescape removes one layer of escapes.
func (p plain) unescape() plain {
	s := p.text
	out := make([]byte, 0, len(s))
	at := make([]place, 0, len(s))
	for i := 0; i < len(s); {
		if !escapes[s[i]] {
			out = append(out, s[i])
			at = append(at, p.place(i, i+1))
			i++
			continue
		}
		text, n := unescapeOne(s[i:])
		where := p.place(i, i+n)
		for j := range len(text) {
			out = append(out, text[j])
			at = append(at, where)
		}
		i += n
	}
	return plain{string(out), at}
}

// unescapeOne returns what a text begins with, without its escape, and how many bytes that takes in the text.
func unescapeOne(s string) (string, int) {
	switch c := s[0]; {
	case c == '%' && len(s) > 2:
		if b, err := strconv.ParseUint(s[1:3], 16, 8); err == nil {
			return visible(string([]byte{byte(b)})), 3
		}
	case c == '+': // a blank in a URL
		return " ", 1
	case c == '&':
		if end := strings.IndexByte(s[:min(len(s), 10)], ';'); end > 0 {
			if r := html.UnescapeString(s[:end+1]); r != s[:end+1] {
				return visible(r), end + 1
			}
		}
	case strings.HasPrefix(s, `'\''`): // a quote within the quotes of a shell
		return "'", len(`'\''`)
	case c == '\\':
		return unescapeBackslash(s)
	case c == 0x1b || strings.HasPrefix(s, "\u009b"):
		return "", terminalSequence(s)
	case c == '\n': // with the indentation of the next line
		return "", 1 + len(s[1:]) - len(strings.TrimLeft(s[1:], " \t"))
	case c < ' ' || c == 0x7f:
		return "", 1
	}
	return s[:1], 1
}

// visible returns a text; nothing of one that is a control character, unless others begin with it.
func visible(text string) string {
	if len(text) == 1 && (text[0] < ' ' && text[0] != 0x1b || text[0] == 0x7f) {
		return ""
	}
	return text
}

// unescapeBackslash is unescapeOne for a text that begins with a backslash. Several stand for one, as of a text that was
// quoted again.
func unescapeBackslash(s string) (string, int) {
	n := len(s) - len(strings.TrimLeft(s, `\`))
	if n == len(s) {
		return "", n
	}
	switch c := s[n]; c {
	case 'n', 'r', 't', 'a', 'b', 'f', 'v':
		return "", n + 1
	case 'x', 'u', 'U':
		digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		r, ok := hexAt(s, n+1, digits)
		if !ok {
			return "", n
		}
		end := n + 1 + digits
		if c == 'x' {
			return visible(string([]byte{byte(r)})), end
		}
		if utf16.IsSurrogate(r) {
			rest := strings.TrimLeft(s[end:], `\`)
			at := len(s) - len(rest)
			if low, ok := hexAt(s, at+1, 4); ok && at > end && s[at] == 'u' {
				return string(utf16.DecodeRune(r, low)), at + 5
			}
		}
		return visible(string(r)), end
	}
	if octal, err := strconv.ParseUint(s[n:min(len(s), n+3)], 8, 8); err == nil && len(s) >= n+3 {
		return visible(string([]byte{byte(octal)})), n + 3
	}
	return "", n
}

func hexAt(s string, at, digits int) (rune, bool) {
	if at+digits > len(s) {
		return 0, false
	}
	r, err := strconv.ParseUint(s[at:at+digits], 16, 32)
	return rune(r), err == nil && (digits < 8 || r <= utf8.MaxRune)
}

// terminalSequence returns the length of a control sequence of a terminal: color, title and others.
func terminalSequence(s string) int {
	rest := strings.TrimPrefix(strings.TrimPrefix(s, "\x1b"), "\u009b")
	begin := len(s) - len(rest)
	switch {
	case rest == "":
	case s[0] == 0x1b && rest[0] == ']': // ends with a bell or a backslash
		if end := strings.IndexAny(rest, "\a\x1b"); end > 0 {
			if rest[end] == 0x1b && end+1 < len(rest) {
				end++
			}
			return begin + end + 1
		}
	case s[0] == 0x1b && rest[0] != '[':
		return begin + 1
	default:
		for i := 1; i < len(rest); i++ {
			if rest[i] >= '@' && rest[i] <= '~' {
				return begin + i + 1
			}
		}
	}
	return begin
}
