package latencies

import (
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// JoinTag returns the tag of a latency in a histogram log, such as READ.response: the
// parts that are not empty, with dots between them. A character that would end the tag
// there becomes an underscore.
func JoinTag(parts ...string) string {
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

// SplitTag splits a tag that tare wrote, such as READ.response, into the operation and
// the kind of its latency. The kind of any other tag is empty.
func SplitTag(tag string) (name, kind string) {
	if i := strings.LastIndexByte(tag, '.'); i >= 0 {
		switch tag[i+1:] {
		case record.TagResponse, record.TagService, record.TagLateness, record.TagFailed, record.TagUnanswered, record.TagUnansweredService:
			return tag[:i], tag[i+1:]
		}
	}
	return tag, ""
}

// Untagged is what an empty tag is called.
const Untagged = "(untagged)"

// TagName returns the tag, or [Untagged] if it is empty.
func TagName(tag string) string {
	if tag == "" {
		return Untagged
	}
	return tag
}

// ListTags names the tags, and counts those beyond the first five.
func ListTags(tags []string) string {
	const most = 5
	var names []string
	for _, tag := range tags {
		names = append(names, TagName(tag))
	}
	return units.List(names, most)
}
