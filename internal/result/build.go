package result

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/numbers/buildset"
	"github.com/tarebench/tare/record"
)

// Built names the build settings of a side that differ from the default: "-race", "GOAMD64=v3".
type Built struct {
	Side     string   `json:"side,omitempty"`
	Settings []string `json:"settings"`
}

// builds returns the settings of the binaries of a side that are measured.
func (b *Builder) builds(side string) (out []map[string]string) {
	for _, id := range slices.Sorted(maps.Keys(b.bins)) {
		if x := b.bins[id]; x.Side == b.sideOfBin(side) && x.Purpose == "" {
			out = append(out, x.Build)
		}
	}
	return out
}

// built returns the sides with settings that differ from the default.
func (b *Builder) built() (out []Built) {
	for _, side := range b.sidesOrNone() {
		if list := buildset.List(b.builds(side)...); len(list) > 0 {
			out = append(out, Built{side, list})
		}
	}
	return out
}

// sidesOrNone returns the names of the sides, or that of the one side of a run that compares nothing.
func (b *Builder) sidesOrNone() []string {
	if sides := b.sides(); len(sides) > 0 {
		return sides
	}
	return []string{""}
}

// notRelease returns a warning if figures are not those of a release build.
func (b *Builder) notRelease() []derivedWarning {
	var all, parts []string
	for _, side := range b.sidesOrNone() {
		list := strings.Join(buildset.Slowed(b.builds(side)...), ", ")
		all = append(all, list)
		if list != "" {
			parts = append(parts, fmt.Sprintf("%s (%s)", list, side))
		}
	}
	if parts == nil {
		return nil
	}
	settings := all[0]
	if len(slices.Compact(all)) > 1 {
		settings = strings.Join(parts, ", ")
	}
	return []derivedWarning{{Warn: *diagnosis.Warn(diagnosis.NotRelease, diagnosis.Facts{"settings": settings})}}
}

// builtDifferently returns the build settings in which the binaries of two cases differ and which the configuration
// does not set.
func (b *Builder) builtDifferently(old, new *caseData) []buildset.Difference {
	x, y := b.bins[old.line.Bin], b.bins[new.line.Bin]
	if x == nil || y == nil || b.run == nil {
		return nil
	}
	var defined []record.Side
	if !b.archived { // without archived records no side was defined by its build
		for _, s := range b.run.Sides {
			if s.Name == old.line.Side || s.Name == new.line.Side {
				defined = append(defined, s)
			}
		}
	}
	return buildset.Unasked(buildset.Differences(x.Build, y.Build, buildset.Chosen(defined...)))
}

// buildWarnings says how each side was built otherwise than the first.
func (b *Builder) buildWarnings(sides []string) (out []Warning) {
	for _, side := range sides[1:] {
		for _, x := range b.cases {
			old := b.partner(x, sides[0])
			if x.line.Side != side || old == nil {
				continue
			}
			d := b.builtDifferently(old, x)
			w := WarningOf(diagnosis.Warn(diagnosis.BuildDiffers, diagnosis.Facts{"side": side, "base": sides[0], "settings": buildset.Text(d)}))
			if len(d) > 0 && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// partner returns the same benchmark on another side, or nil.
func (b *Builder) partner(c *caseData, side string) *caseData {
	for _, x := range b.cases {
		if x.line.Side == side && x.identity() == c.identity() {
			return x
		}
	}
	return nil
}
