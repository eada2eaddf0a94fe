package toolchain

import (
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/numbers/buildset"
)

// Flags are the flags of a go command in order, as words: -name, -name=value, or the two words of -name value.
type Flags []string

// ParseFlags returns the flags that a go command applies: those of GOFLAGS, as go env prints it, then those in typed.
func ParseFlags(goflags string, typed ...string) Flags {
	return append(buildset.Words(goflags), typed...)
}

// Last returns the value of a flag. As in go, the last of several counts.
func (f Flags) Last(name string) (value string, ok bool) {
	for _, v := range f.All(name) {
		value, ok = v, true
	}
	return value, ok
}

// All returns the values of a flag in order.
func (f Flags) All(name string) (values []string) {
	for i := 0; i < len(f); i++ {
		n, value, joined := cut(f[i])
		switch {
		case n != name:
		case joined:
			values = append(values, value)
		case i+1 < len(f):
			i++
			values = append(values, f[i])
		}
	}
	return values
}

// Switched returns the first boolean flag, as written, whose name is wanted and whose last setting is true, or "".
func (f Flags) Switched(wanted func(name string) bool) string {
	on := make(map[string]bool)
	for _, word := range f {
		if name, value, joined := cut(word); name != "" && wanted(name) {
			yes, err := strconv.ParseBool(value)
			on[name] = !joined || err != nil || yes
		}
	}
	for _, word := range f {
		if name, _, _ := cut(word); on[name] {
			return word
		}
	}
	return ""
}

// cut splits a flag into its name and the text after the =. The name of a word that is not a flag is "".
func cut(word string) (name, value string, joined bool) {
	rest, ok := strings.CutPrefix(word, "-")
	if !ok {
		return "", "", false
	}
	return strings.Cut(strings.TrimPrefix(rest, "-"), "=")
}
