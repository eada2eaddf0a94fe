package buildset

import (
	"strings"

	"github.com/tarebench/tare/record"
)

// Names are the settings that the user gave a side, and not all.
type Names map[string]bool

// Chosen returns the settings that the definitions of sides name: their flags and their environment.
func Chosen(sides ...record.Side) Names {
	out := Names{}
	for _, s := range sides {
		out.flags(s.Flags)
		for _, kv := range s.Setenv {
			name, value, _ := strings.Cut(kv, "=")
			out[name] = true
			if name == "GOFLAGS" {
				out.flags(Words(value))
			}
		}
	}
	return out
}

func (n Names) flags(list []string) {
	for _, f := range list {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if strings.HasPrefix(f, "-") {
			n["-"+name] = true
		}
	}
}

// Has reports whether a setting was chosen, or follows from one that was.
func (n Names) Has(name string) bool {
	if n[name] {
		return true
	}
	switch name {
	case "-cover":
		return n["-covermode"] || n["-coverpkg"]
	case "CGO_ENABLED":
		return n["GOOS"] || n["GOARCH"]
	case "GOARCH":
		return false
	}
	return n["GOARCH"] && usual[name] != "" // levels of a processor that only one side has
}
