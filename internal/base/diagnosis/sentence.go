package diagnosis

import (
	"regexp"
	"strings"
	"sync"
)

var (
	parts     = whenNeeded(`\[[^\]]*\]|\{\w+\}`) // of a sentence: what may be left out, and facts
	condition = whenNeeded(`^(\w+)\?`)           // of what may be left out
	fact      = whenNeeded(`\{\w+\}`)
)

// whenNeeded compiles an expression at its first use. This package is part of measured processes, whose start counts.
func whenNeeded(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// expand returns a sentence with its facts, and whether it has all of them. Facts are not expanded themselves.
func expand(sentence string, facts map[string]string) (string, bool) {
	all := true
	text := parts().ReplaceAllStringFunc(sentence, func(part string) string {
		if part[0] == '{' {
			text, ok := fill(part, facts)
			all = all && ok
			return text
		}
		part = part[1 : len(part)-1]
		if c := condition().FindStringSubmatch(part); c != nil {
			if facts[c[1]] == "" {
				return ""
			}
			part = part[len(c[0]):]
		}
		if text, ok := fill(part, facts); ok {
			return text
		}
		return ""
	})
	return text, all
}

// fill replaces the names of facts. It returns false if one is missing.
func fill(text string, facts map[string]string) (string, bool) {
	all := true
	text = fact().ReplaceAllStringFunc(text, func(name string) string {
		x := facts[strings.Trim(name, "{}")]
		if x == "" {
			all = false
			return "not known"
		}
		return x
	})
	return text, all
}
