package ci

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// What a comment by a bot must not do for whoever wrote the text: mention people, show pictures from elsewhere, hide text.
var (
	mention  = regexp.MustCompile(`(^|[^\w` + "`" + `])@(\w)`)
	picture  = regexp.MustCompile(`!\[`)
	hiddenAs = regexp.MustCompile(`<!--`)
)

// headline begins every summary.
const headline = "### tare: "

// Comment returns the text of a summary for a comment, at most limit bytes of it; "" if it is none. A summary that comes
// from the workflow of a fork is written by a stranger: it mentions nobody, shows no pictures, and hides nothing.
func Comment(text string, limit int) string {
	if !utf8.ValidString(text) || !strings.HasPrefix(text, headline) {
		return ""
	}
	text = mention.ReplaceAllString(text, "$1@\u200b$2")
	text = picture.ReplaceAllString(text, "!\\[")
	text = hiddenAs.ReplaceAllString(text, "&lt;!--")
	return Cut(text, limit)
}
