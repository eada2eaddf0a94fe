package result

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// mostNames is the maximum number of benchmarks or units that a warning names.
const mostNames = 8

// oneSided returns warnings about benchmarks that some side lacks. What is compared under another name is not among
// the new ones. What the result lists as lost is marked.
func (b *Builder) oneSided(sides []string, s *Result) []Warning {
	have := map[identity]map[string]bool{}
	var order []identity
	unknown := b.unknownNames()
	for _, c := range b.cases {
		id := c.identity()
		if unknown[id] || b.by != "" && c.line.Side == "" {
			continue
		}
		if have[id] == nil {
			have[id] = map[string]bool{}
			order = append(order, id)
		}
		have[id][c.line.Side] = true
	}
	paired := map[identity]bool{}
	for _, side := range sides[1:] {
		for _, p := range b.renamed(sides[0], side) {
			paired[p[1].identity()] = true
		}
	}
	listed := map[string]int{}
	for _, l := range s.Lost {
		if !have[identity{l.Pkg, l.Name, l.Procs}][l.Side] {
			listed[l.Side]++
		}
	}
	only := map[string][]string{}
	for _, id := range order {
		for i, side := range sides {
			if !have[id][side] && !(i == 0 && paired[id]) {
				only[side] = append(only[side], s.NameOf(id.pkg, id.name, id.procs))
			}
		}
	}
	out := b.withoutKey(s)
	for _, side := range sides {
		if names := only[side]; len(names) > 0 {
			w := WarningOf(diagnosis.Warn(diagnosis.OneSide, diagnosis.Facts{"side": side, "names": units.List(names, mostNames)}))
			w.Listed = listed[side] == len(names)
			out = append(out, w)
		}
	}
	return out
}

// otherUnits returns warnings about benchmarks whose units differ between the sides. A unit that only one side
// reports cannot be compared.
func (b *Builder) otherUnits(sides []string, s *Result) []Warning {
	reported := map[identity]map[string][]string{}
	var order []identity
	for _, c := range b.cases {
		if len(c.forks) == 0 {
			continue
		}
		id := c.identity()
		if reported[id] == nil {
			reported[id] = map[string][]string{}
			order = append(order, id)
		}
		var all []string
		for _, role := range c.roles() {
			all = append(all, c.units(role)...)
		}
		if b.oneDeep() { // the hooks of one side report more, as they should
			all = slices.DeleteFunc(all, ofHooks)
		}
		if record.KindOf(b.run) == record.KindTime { // only programs that tare builds have these
			all = slices.DeleteFunc(all, ofRuntime)
		}
		slices.Sort(all)
		reported[id][c.line.Side] = slices.Compact(all)
	}
	var out []Warning
	for _, id := range order {
		base := reported[id][sides[0]]
		for _, side := range sides[1:] {
			if u := reported[id][side]; len(base) > 0 && len(u) > 0 && !slices.Equal(u, base) {
				ofBase, ofSide := lone(base, u), lone(u, base)
				out = append(out, WarningOf(diagnosis.Warn(diagnosis.OtherUnits, diagnosis.Facts{
					"benchmark": s.NameOf(id.pkg, id.name, id.procs), "ofBase": ofBase, "base": sides[0], "both": ofBase != "" && ofSide != "", "ofSide": ofSide, "side": side,
				})))
			}
		}
	}
	return out
}

// lone names those of some units that others are not.
func lone(of, others []string) string {
	return units.List(slices.DeleteFunc(slices.Clone(of), func(u string) bool { return slices.Contains(others, u) }), mostNames)
}

// oneDeep reports whether only some sides were built with hooks (--deep).
func (b *Builder) oneDeep() bool {
	if b.run == nil || len(b.run.Sides) == 0 {
		return false
	}
	first := b.run.Sides[0].Deep
	return slices.ContainsFunc(b.run.Sides, func(s record.Side) bool { return s.Deep != first })
}

// ofHooks reports whether hooks in package testing report the unit, or report it without rounding.
func ofHooks(unit string) bool {
	return strings.HasPrefix(unit, "gc-") || unit == "B/op" || unit == "allocs/op"
}
