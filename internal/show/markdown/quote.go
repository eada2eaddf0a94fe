package markdown

import (
	"fmt"
	"regexp"
	"strings"
)

// Text makes a text printable and quotes it for Markdown, also at the beginning of a line and inside tables. A word that GitHub
// gives a meaning in the finished page becomes a piece of code: entities and backslashes are gone by then. A bar becomes an
// entity, because a table splits its cells before it searches for backslashes.
func Text(s string) string { return writeInline(textParts(charset.Text(s))) }

// textParts returns a text in parts, of which words that GitHub gives a meaning are code.
func textParts(s string) (parts []inline) {
	for i, w := range strings.Split(s, " ") {
		if i > 0 {
			parts = append(parts, inline{textKind, " "})
		}
		if !isRead(w) {
			parts = append(parts, inline{textKind, w})
			continue
		}
		inner := strings.TrimRight(w, `,;.:)"'`)
		before := len(inner) - len(strings.TrimLeft(inner, `("'`))
		for _, p := range []inline{{textKind, w[:before]}, {codeKind, inner[before:]}, {textKind, w[len(inner):]}} {
			if p.text != "" {
				parts = append(parts, p)
			}
		}
	}
	return joinInline(parts)
}

// read matches what GitHub searches for in the text of a finished page, outside of code and links: people and teams, mail
// addresses, issues and commits, emoji, also where a colon behind the text would end one, formulas, addresses, and the kinds
// of alerts.
var read = regexp.MustCompile(`(?i)@.|#[0-9]|\$|:[\w+-]+:|:[\w+-]*[a-z][\w+-]*$|://|www\.|\[!|(?:^|[^0-9a-z])(?:(?:gh|cve)-[0-9]|ghsa-|[0-9a-f]{7,}(?:$|[^0-9a-z]))`)

// fraction matches numbers such as 0.0000394, whose digits are no commit.
var fraction = regexp.MustCompile(`\b[0-9]{1,6}\.[0-9]+\b`)

// isRead reports whether GitHub would make more of a word than a text: mention somebody, refer to an issue or a commit, link,
// draw. It does so after Markdown was translated, so that only code keeps a word from it.
func isRead(word string) bool { return read.MatchString(fraction.ReplaceAllString(word, "0")) }

var quoted = strings.NewReplacer(
	"|", "&#124;", "<", "&lt;", ">", "&gt;", "&", "&amp;",
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`, "#", `\#`,
)

// quote quotes a text for Markdown. Underscores between letters or digits mean nothing there: sort_test.go stays as it is.
func quote(text string) string {
	var b strings.Builder
	for from := 0; from < len(text); {
		at := from + strings.IndexByte(text[from:], '_')
		if at < from {
			at = len(text)
		}
		end := len(text) - len(strings.TrimLeft(text[at:], "_"))
		b.WriteString(quoted.Replace(text[from:at]))
		if at > 0 && end < len(text) && isAlphanumeric(text[at-1]) && isAlphanumeric(text[end]) {
			b.WriteString(text[at:end])
		} else {
			b.WriteString(quoted.Replace(text[at:end]))
		}
		from = end
	}
	return b.String()
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// opener matches what begins a block of Markdown at the beginning of a line, or is a command to a bot that reads comments.
var opener = regexp.MustCompile(`^(?:( )|([0-9]{1,9})[.)](?: |$)|[-+] |\+$|[-=:][-=: ]*$|[/!][A-Za-z0-9-]+(?: |$)|(` + robotWords + `))`)

// quoteStart quotes the beginning of a text that is quoted otherwise, so that it begins no block.
func quoteStart(s string) string {
	switch m := opener.FindStringSubmatch(s); {
	case m == nil:
		return s
	case m[1] != "":
		return "&#32;" + s[1:]
	case m[3] != "": // a backslash means nothing before a letter
		return fmt.Sprintf("&#%d;%s", s[0], s[1:])
	default:
		return m[2] + `\` + s[len(m[2]):]
	}
}

// Code makes a name or a command printable, and a piece of code. What a table or GitHub searches for within code is written in
// HTML: a bar, a dollar sign beside a backquote, and the beginning of a colour, of which GitHub would show a sample.
func Code(s string) string { return code(s, "|") }

// code is Code where the characters of special are written in HTML.
func code(s, special string) string {
	var b strings.Builder
	for _, p := range codeParts(charset.Name(s), special) {
		if p.html {
			fmt.Fprintf(&b, "<code>&#%d;</code>", p.text[0])
		} else {
			b.WriteString(codeSpan(p.text))
		}
	}
	return b.String()
}

// codePart is a part of a piece of code.
type codePart struct {
	text string
	html bool // one character that is written in HTML, as no backquotes can
}

// colour matches the texts of which GitHub shows a sample of the colour if they are all of a piece of code.
var colour = regexp.MustCompile(`(?i)^ *(?:#[0-9a-f]{3,8}|(?:rgb|hsl)a?\(.*\)) *$`)

// codeParts splits a text so that a part is one special character, or has none and is no colour.
func codeParts(s, special string) (parts []codePart) {
	for s != "" {
		if s[0] == '$' || strings.IndexByte(special, s[0]) >= 0 {
			parts, s = append(parts, codePart{s[:1], true}), s[1:]
			continue
		}
		n := strings.IndexAny(s, special)
		if n < 0 {
			n = len(s)
		}
		if colour.MatchString(s[:n]) {
			for begin := 1 + len(s) - len(strings.TrimLeft(s, " ")); begin > 0; begin-- {
				parts, s = append(parts, codePart{s[:1], true}), s[1:]
			}
			continue
		}
		if s[n-1] == '$' {
			n--
		}
		parts = append(parts, codePart{s[:n], false})
		s = s[n:]
	}
	return parts
}

// codeSpan puts a text between backquotes. Markdown strips one blank on both sides if there is one on both.
func codeSpan(s string) string {
	f := Fence(s, 1)
	if strings.Trim(s, " ") != "" && (strings.ContainsRune(" `", rune(s[0])) || strings.ContainsRune(" `", rune(s[len(s)-1]))) {
		s = " " + s + " "
	}
	return f + s + f
}

// htmlText quotes a text for an element of HTML, where a word that GitHub gives a meaning becomes a piece of code.
func htmlText(s string) string {
	words := strings.Split(charset.Name(s), " ")
	for i, w := range words {
		if !isRead(w) {
			words[i] = entities(w)
			continue
		}
		var b strings.Builder
		for _, p := range codeParts(w, "") {
			b.WriteString("<code>" + entities(p.text) + "</code>")
		}
		words[i] = b.String()
	}
	return strings.Join(words, " ")
}

// entities quotes text for HTML, with what means something to Markdown as well.
func entities(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 0x80 && strings.ContainsRune("!\"#$%&'()*+<=>?@[\\]^_`{|}~:", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Fence returns a run of at least n backquotes that text does not contain.
func Fence(text string, n int) string {
	for rest := text; ; {
		at := strings.IndexByte(rest, '`')
		if at < 0 {
			return strings.Repeat("`", n)
		}
		length := run(rest[at:])
		n, rest = max(n, length+1), rest[at+length:]
	}
}
