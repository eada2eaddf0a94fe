package cli

import (
	"strings"

	"github.com/tarebench/tare/record"
)

// untagged is what an empty tag is called.
const untagged = "(untagged)"

func tagName(tag string) string {
	if tag == "" {
		return untagged
	}
	return tag
}

// matchesTag reports whether a tag is one that was asked for; no patterns ask for
// all. In a pattern * stands for anything, and the empty one for no tag.
func matchesTag(patterns []string, tag string) bool {
	for _, p := range patterns {
		if p == tag || p == untagged && tag == "" || globs(p, tag) {
			return true
		}
	}
	return len(patterns) == 0
}

// globs matches a pattern in which * stands for any text.
func globs(pattern, s string) bool {
	first, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == s
	}
	s, ok := strings.CutPrefix(s, first)
	if !ok {
		return false
	}
	for i := range len(s) + 1 {
		if globs(rest, s[i:]) {
			return true
		}
	}
	return false
}

// kindOf divides a tag of tare's, READ.response, into the operation and the kind of
// its latency. Others are a name alone.
func kindOf(tag string) (name, kind string) {
	if i := strings.LastIndexByte(tag, '.'); i >= 0 {
		switch tag[i+1:] {
		case record.TagResponse, record.TagService, record.TagLateness, record.TagFailed:
			return tag[:i], tag[i+1:]
		}
	}
	return tag, ""
}

// fromDue tells kinds of latency that count from the time at which an operation was
// due: of those, nothing was left out.
func fromDue(tag string) bool {
	_, kind := kindOf(tag)
	return kind == record.TagResponse || kind == record.TagLateness || kind == record.TagFailed
}

// histTag makes a tag of a name and a kind. What would end a tag in a log becomes
// an underscore.
func histTag(parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(", \n\r\u0085\u2028\u2029", r) {
			return '_'
		}
		return r
	}, strings.Join(some, "."))
}
