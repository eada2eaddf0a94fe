package render

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/numbers/buildset"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// builtWith returns the build settings of all sides that differ from the default, as one item of the header.
func builtWith(s *result.Result) string {
	if all := ofAllSides(s); len(all) > 0 {
		return "built with " + strings.Join(all, ", ")
	}
	return ""
}

// ofAllSides returns the settings that all sides have.
func ofAllSides(s *result.Result) []string {
	if len(s.Build) == 0 || len(s.Build) < len(s.Run.Sides) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.Build[0].Settings), func(setting string) bool {
		return slices.ContainsFunc(s.Build[1:], func(b result.Built) bool { return !slices.Contains(b.Settings, setting) })
	})
}

// ofSideAlone returns the settings of a side that others lack, without those that its definition names.
func ofSideAlone(s *result.Result, side record.Side) (out []string) {
	all, chosen := ofAllSides(s), buildset.Chosen(side)
	for _, b := range s.Build {
		for _, setting := range b.Settings {
			name, _, _ := strings.Cut(setting, "=")
			if b.Side == side.Name && !slices.Contains(all, setting) && (archived(s.Run) || !chosen.Has(name)) {
				out = append(out, setting)
			}
		}
	}
	return out
}
