package compiler

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// What of a message depends on where code stands and on what else is in the function.
var unstable = []struct {
	what *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(`(?: at)? \S*\.go:\d+(:\d+)?`), ""},                                // positions
	{regexp.MustCompile(`(~[a-z]+|\.autotmp_|\.this)\d+`), "$1"},                           // results without names, temporary variables
	{regexp.MustCompile(`\.(func|gowrap|deferwrap)\d+(?:[.-](?:func|range)?\d+)*`), ".$1"}, // closures
	{regexp.MustCompile(`-range\d+`), "-range"},
	{regexp.MustCompile(`\[go\.shape\.[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\]`), "[...]"}, // type arguments of a copy
}

// maxText is the most bytes of a message that are kept.
const maxText = 200

// plain returns a message without positions and without numbers of temporary variables, closures and copies.
func plain(msg string) string {
	for _, u := range unstable {
		msg = u.what.ReplaceAllString(msg, u.by)
	}
	return shortened(strings.TrimSpace(msg))
}

// shortened cuts a long message off.
func shortened(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
