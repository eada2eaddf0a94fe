package buildset

import (
	"slices"
	"strings"
)

// usual are the values of settings that go chooses by itself.
var usual = map[string]string{
	"GO386": "sse2", "GOAMD64": "v1", "GOARM64": "v8.0", "GOMIPS": "hardfloat", "GOMIPS64": "hardfloat",
	"GOPPC64": "power8", "GORISCV64": "rva20u64", "CGO_ENABLED": "1", "GOFIPS140": "off",
}

// without are the settings without an effect of their own on a figure. That of GOFLAGS is in the flags; the others
// are paths and names, or follow from the sources.
var without = []string{"-trimpath", "-buildmode", "GOFLAGS", "DefaultGODEBUG"}

// effect returns a setting in a form that is the same if the effect on figures is; "" without an effect, or with
// that of a default.
func effect(name, value string) string {
	switch {
	case slices.Contains(without, name), strings.HasPrefix(name, "vcs"), value == usual[name]:
		return ""
	case name == "-ldflags":
		return strings.Join(linking(value), " ")
	case name == "-gcflags":
		return strings.Join(compiling(value), " ")
	case name == "-tags":
		tags := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
		slices.Sort(tags)
		return strings.Join(slices.Compact(tags), ",")
	}
	return value
}

// linking returns the linker's flags without those that set texts or leave out symbols, and without the order in
// which it places code: that is known as the layout.
func linking(value string) (out []string) {
	list := Words(value)
	for i := 0; i < len(list); i++ {
		name, _, joined := strings.Cut(strings.TrimPrefix(list[i], "-"), "=")
		switch strings.TrimPrefix(name, "-") {
		case "X":
			if !joined {
				i++
			}
		case "s", "w", "randlayout", "buildid":
		default:
			out = append(out, list[i])
		}
	}
	return out
}

// compiling returns the compiler's flags without those that only print.
func compiling(value string) []string {
	return slices.DeleteFunc(Words(value), func(w string) bool {
		name, _, _ := strings.Cut(w, "=")
		return name == "-m" || name == "-S"
	})
}

// Words splits flags at white space as go splits GOFLAGS, except in fields that are quoted as a whole, and removes the
// quotes.
func Words(s string) (out []string) {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if q := s[0]; q == '\'' || q == '"' {
			if word, rest, ok := strings.Cut(s[1:], string(q)); ok {
				out, s = append(out, word), rest
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
