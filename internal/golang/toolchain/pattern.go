package toolchain

import (
	"regexp"
	"strings"
)

// Matches reports whether a package pattern selects a package by its path, as the go command has it: ... stands for any
// text, /... also for none, and all selects every package. Patterns that are directories are matched with directories.
func Matches(pattern, path string) bool {
	if pattern == "all" || pattern == path {
		return true
	}
	expression := strings.ReplaceAll(regexp.QuoteMeta(pattern), `\.\.\.`, `.*`)
	if below, ok := strings.CutSuffix(expression, `/.*`); ok {
		expression = below + `(/.*)?`
	}
	re, err := regexp.Compile(`^` + expression + `$`)
	return err == nil && re.MatchString(path)
}
