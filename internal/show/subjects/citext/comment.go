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

// Comment returns the text of a summary for a comment, at most limit bytes of it; "" if it is not a summary. A summary that
// comes from the workflow of a fork may be forged. Only what has the form of a summary keeps its form, see
// [markdown.Rebuild]: it mentions no user, has no references, links or pictures, and hides nothing.
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
