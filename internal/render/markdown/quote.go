package markdown

import (
	"fmt"
	"strings"
)

// Text makes a text printable and quotes it for Markdown, inside tables too. A bar becomes an
// entity, because a table splits its cells before it looks for backslashes.
func Text(s string) string {
	s = charset.Text(s)
	return strings.NewReplacer(
		"|", "&#124;", "<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "&#64;", "#", "&#35;",
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`, "$", `\$`,
	).Replace(s)
}

// Code makes a printable name or command a piece of code. Where backquotes
// cannot do that in a table it is done in HTML, with what means something to
// Markdown as entities.
func Code(s string) string {
	if s == "" {
		return ""
	}
	if !strings.ContainsAny(s, "`|\\") && strings.TrimSpace(s) == s {
		return "`" + s + "`"
	}
	return "<code>" + entities(s) + "</code>"
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
	f := strings.Repeat("`", n)
	for strings.Contains(text, f) {
		f += "`"
	}
	return f
}
