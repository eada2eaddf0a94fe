package buildset

import (
	"maps"
	"slices"
	"strings"
)

// Difference is a setting by which two binaries differ.
type Difference struct {
	Name     string
	Old, New string // in short; "": as by default
	Chosen   bool   // the sides were defined to differ in it, or their sources do
}

// Differences returns by what two binaries differ, by name. chosen are the settings that the user gave one of them.
// There are none if one has no settings.
func Differences(old, new map[string]string, chosen Names) (out []Difference) {
	if len(old) == 0 || len(new) == 0 {
		return nil
	}
	names := slices.Collect(maps.Keys(old))
	names = slices.AppendSeq(names, maps.Keys(new))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		d := Difference{Name: name, Old: effect(name, old[name]), New: effect(name, new[name])}
		if d.Old == d.New {
			continue
		}
		if name == "CGO_ENABLED" { // whose default depends on the machine
			d.Old, d.New = old[name], new[name]
		}
		d.Chosen = chosen.Has(name) || name == "-pgo" && ofSources(d.Old) && ofSources(d.New)
		out = append(out, d)
	}
	return out
}

// ofSources reports whether a profile is one of the package's own files, or there is none. Sides differ in their files.
func ofSources(profile string) bool {
	return profile == "" || strings.HasPrefix(profile, "default.pgo ")
}

// Unasked returns the differences that the user did not choose.
func Unasked(ds []Difference) []Difference {
	return slices.DeleteFunc(slices.Clone(ds), func(d Difference) bool { return d.Chosen })
}

// Text names differences from the point of view of the new binary: "with -race, GOAMD64 v3 against v1".
func Text(ds []Difference) string {
	var parts []string
	for _, d := range ds {
		switch {
		case d.New == "true" && d.Old == "":
			parts = append(parts, "with "+d.Name)
		case d.Old == "true" && d.New == "":
			parts = append(parts, "without "+d.Name)
		default:
			parts = append(parts, d.Name+" "+or(d.New, d.Name)+" against "+or(d.Old, d.Name))
		}
	}
	return strings.Join(parts, ", ")
}

// or returns a value, quoted if it has blanks, or what stands for none.
func or(value, name string) string {
	switch {
	case value == "" && usual[name] != "":
		return usual[name]
	case value == "":
		return "none"
	}
	return quoted(value)
}

func quoted(value string) string {
	if strings.Contains(value, " ") && !strings.HasPrefix(value, "default.pgo ") {
		return `"` + value + `"`
	}
	return value
}
