package ci

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// What a comment by a bot must not do for whoever wrote the text: mention people, show pictures from elsewhere, hide text.
var (
	mention = regexp.MustCompile(`(^|\W)@(\w)`)
	picture = regexp.MustCompile(`!\[`)
	// tag and entity match those that a summary of tare has, first, and what may be any other.
	tag    = regexp.MustCompile(`</?(?:details|summary|sup|sub|br|b|code|pre)>|<`)
	entity = regexp.MustCompile(`&(?:lt|gt|amp|quot|nbsp);|&`)
)

// headline begins every summary.
const headline = "### tare: "

// Comment returns the text of a summary for a comment, at most limit bytes of it; "" if it is none. A summary that comes
// from the workflow of a fork is written by a stranger: it mentions nobody, shows no pictures, and hides nothing.
func Comment(text string, limit int) string {
	if !utf8.ValidString(text) || !strings.HasPrefix(text, headline) {
		return ""
	}
	text = entity.ReplaceAllStringFunc(text, func(s string) string { return escaped(s, "&amp;") })
	text = tag.ReplaceAllStringFunc(text, func(s string) string { return escaped(s, "&lt;") })
	text = mention.ReplaceAllString(text, "$1@\u200b$2")
	text = picture.ReplaceAllString(text, "!\\[")
	return Cut(text, limit)
}

// escaped returns a tag or an entity as it is, and its first character alone in another form.
func escaped(s, as string) string {
	if len(s) > 1 {
		return s
	}
	return as
}
