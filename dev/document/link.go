package document

import (
	"regexp"
	"strings"
	"unicode"
)

// link is [TEXT](TARGET), also of a picture.
var link = regexp.MustCompile(`\]\(([^()\s]+)\)`)

// Links returns where the links of a document lead, as they are written. Code has none.
func Links(text string) (targets []string) {
	for _, m := range link.FindAllStringSubmatch(withoutCode(text), -1) {
		targets = append(targets, m[1])
	}
	return targets
}

// heading is a line that begins with hashes.
var heading = regexp.MustCompile(`(?m)^#+ +(.*?) *#*$`)

// Anchors returns the names by which a link leads to a heading of the document: lower case, blanks
// as hyphens, without punctuation, as the forges make them.
func Anchors(text string) map[string]bool {
	anchors := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(withoutBlocks(text), -1) {
		anchors[anchor(m[1])] = true
	}
	return anchors
}

func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

var codeSpan = regexp.MustCompile("`[^`\n]+`")

// Spans returns the code between backquotes in the document's text, outside of blocks.
func Spans(text string) (spans []string) {
	for _, s := range codeSpan.FindAllString(withoutBlocks(text), -1) {
		spans = append(spans, strings.Trim(s, "`"))
	}
	return spans
}

func withoutCode(text string) string { return codeSpan.ReplaceAllString(withoutBlocks(text), "code") }

func withoutBlocks(text string) string {
	var rest strings.Builder
	at := 0
	for _, b := range Blocks(text) {
		rest.WriteString(text[at:b.start])
		at = b.end
	}
	return rest.String() + text[at:]
}
