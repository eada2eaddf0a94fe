package citext

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/show/markdown"
)

// headline begins every summary.
const headline = "### tare: "

// selftestTitle is the title of what a self-test said.
const selftestTitle = "self-test of this machine"

// title matches the titles of folded parts of a summary.
var title = regexp.MustCompile(`^(?:` + selftestTitle + `|results of each side|output of .+|` + counts + `(?: · ` + counts + `)*)$`)

// counts matches how many rows have a verdict.
const counts = `[0-9]+ (?:faster|slower|inconclusive|equivalent|identical|different|same|less|more|no change found)`

// Comment returns a summary as the text of a comment, cut to limit bytes. It returns "" if the text is not a summary. The
// summary may be forged, because a fork's workflow may have written it. So [markdown.Rebuild] writes it anew: the result
// mentions no user, has no references, links or pictures, and hides no text.
func Comment(text string, limit int) string {
	if !utf8.ValidString(text) || !strings.HasPrefix(text, headline) {
		return ""
	}
	cut := Cut
	if len(text) > 2*limit { // which takes long, and is more than fits
		text, cut = text[:strings.LastIndexByte(text[:2*limit], '\n')+1], shorten
	}
	// It is cut behind being written anew: in a text of tare's own it is known what is open.
	text = markdown.Rebuild(text, title.MatchString, strings.TrimSpace(cutNote))
	if text = cut(text, limit); !strings.HasPrefix(text, headline) {
		return ""
	}
	return text
}
