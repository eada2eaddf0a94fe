// Package logtest reads the log of a job as services of continuous integration do, to test that nothing in it is a command.
package logtest

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// GitHub reads lines as the runner of GitHub does: commands stop and resume, and all that it obeys is kept. Whatever could
// be the name of a command counts as one, and blanks before it are taken in the widest sense.
type GitHub struct {
	Obeyed []string
	token  string // with which commands resume
}

// Read reads a text: lines end at \n, \r and both.
func (g *GitHub) Read(text string) {
	for l := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		g.line(l)
	}
}

func (g *GitHub) line(l string) {
	name, data, ok := second(l)
	if !ok {
		name, data, ok = first(l)
	}
	switch {
	case !ok:
	case g.token != "" && strings.EqualFold(name, g.token):
		g.token = ""
	case g.token != "":
	case name == "stop-commands":
		g.token = data
	default:
		g.Obeyed = append(g.Obeyed, l)
	}
}

// Stopped reports whether commands are ignored.
func (g *GitHub) Stopped() bool { return g.token != "" }

// color matches sequences that a filter before the service may have removed.
var color = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// second parses ::name properties::data.
func second(l string) (name, data string, ok bool) {
	if !strings.Contains(l, "::") {
		return "", "", false
	}
	l = strings.TrimLeftFunc(color.ReplaceAllString(l, ""), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == unicode.ReplacementChar
	})
	rest, ok := strings.CutPrefix(l, "::")
	if !ok {
		return "", "", false
	}
	info, data, ok := strings.Cut(rest, "::")
	name, _, _ = strings.Cut(info, " ")
	return name, data, ok
}

// first parses ##[name properties]data, which begins anywhere.
func first(l string) (name, data string, ok bool) {
	_, rest, ok := strings.Cut(l, "##[")
	if !ok {
		return "", "", false
	}
	info, data, ok := strings.Cut(rest, "]")
	name, _, _ = strings.Cut(info, " ")
	return name, data, ok
}

// others match what other services obey.
var others = []*regexp.Regexp{
	regexp.MustCompile(`##[A-Za-z0-9._-]*\[`), regexp.MustCompile(`section_(start|end):`), regexp.MustCompile(`travis_(fold|time):`),
}

// Others returns what other services find in a text.
func Others(text string) (found []string) {
	if !strings.ContainsAny(text, "#_") {
		return nil
	}
	for _, r := range others {
		found = slices.Concat(found, r.FindAllString(text, -1))
	}
	return found
}
