package summary

import (
	"fmt"
	"slices"
	"strings"
)

// oneSided lists the benchmarks that some side lacks.
func (b *Builder) oneSided(sides []string) []Warning {
	have := map[identity]map[string]bool{}
	var order []identity
	for _, c := range b.cases {
		id := c.identity()
		if have[id] == nil {
			have[id] = map[string]bool{}
			order = append(order, id)
		}
		have[id][c.line.Side] = true
	}
	only := map[string][]string{}
	for _, id := range order {
		for _, side := range sides {
			if !have[id][side] {
				only[side] = append(only[side], id.name)
			}
		}
	}
	var out []Warning
	for _, side := range sides {
		if names := only[side]; len(names) > 0 {
			out = append(out, Warning{Code: CodeOneSide, Text: fmt.Sprintf("%s lacks %s", side, list(names))})
		}
	}
	return out
}

// otherUnits tells of benchmarks that report other units on another side: what
// only one side reports cannot be compared.
func (b *Builder) otherUnits(sides []string) []Warning {
	units := map[identity]map[string]string{}
	var order []identity
	for _, c := range b.cases {
		if len(c.forks) == 0 {
			continue
		}
		id := c.identity()
		if units[id] == nil {
			units[id] = map[string]string{}
			order = append(order, id)
		}
		var all []string
		for _, role := range c.roles() {
			all = append(all, c.units(role)...)
		}
		slices.Sort(all)
		units[id][c.line.Side] = strings.Join(slices.Compact(all), ", ")
	}
	var out []Warning
	for _, id := range order {
		base := units[id][sides[0]]
		for _, side := range sides[1:] {
			if u := units[id][side]; base != "" && u != "" && u != base {
				out = append(out, Warning{
					Code: CodeOtherUnits,
					Text: fmt.Sprintf("%s reports %s on side %s, and %s on side %s: only what both report is compared", id.name, base, sides[0], u, side),
				})
			}
		}
	}
	return out
}

// list names a few and counts the rest.
func list(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
