package gocmd

import (
	"strconv"
	"strings"
)

// Flags are those of one go command in their order, as words: -name, -name=value, or
// what is typed as -name value.
type Flags []string

// ParseFlags are the flags that a go command heeds: those of GOFLAGS, which go env knows
// wherever they are set, and then those that are typed.
func ParseFlags(goflags string, typed ...string) Flags {
	return append(split(goflags), typed...)
}

// Last is the value of a flag that has one. As with go, the last one counts.
func (f Flags) Last(name string) (value string, ok bool) {
	for _, v := range f.All(name) {
		value, ok = v, true
	}
	return value, ok
}

// All are the values of a flag that has one, in their order.
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

// Switched returns the first flag of which the name is wanted and that is not switched off
// again: "" if there is none.
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

// cut cuts a flag into its name and what is behind the =. What is no flag has no name.
func cut(word string) (name, value string, joined bool) {
	rest, ok := strings.CutPrefix(word, "-")
	if !ok {
		return "", "", false
	}
	return strings.Cut(strings.TrimPrefix(rest, "-"), "=")
}

// split splits GOFLAGS as go does: at blanks, but for fields that are quoted from their
// beginning to their end.
func split(s string) []string {
	var out []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if q := s[0]; q == '\'' || q == '"' {
			if field, rest, ok := strings.Cut(s[1:], string(q)); ok {
				out, s = append(out, field), rest
				continue
			}
		}
		end := strings.IndexAny(s, " \t\n\r")
		if end < 0 {
			end = len(s)
		}
		out, s = append(out, s[:end]), s[end:]
	}
	return out
}
