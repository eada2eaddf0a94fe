package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/stat"
)

// A panel is a chart of one unit, of the benchmarks of a family that have it.
type panel struct {
	unit   string
	family string // "" if there is but one
	more   int    // bars that are left out
	items  []panelItem
}

// panelItem is a row as a bar.
type panelItem struct {
	familyRow
	interval stat.Interval // of the median, at the confidence of the record
}

// maxBars is the most bars of a chart. More cannot be compared by eye.
const maxBars = 80

// mainUnits returns the main units of the rows that have figures.
func (p *view) mainUnits() []string {
	var out []string
	p.eachRow(func(r *row) bool {
		if !slices.Contains(out, r.res.Unit) {
			out = append(out, r.res.Unit)
		}
		return true
	})
	return out
}

// eachRow calls f with each row that has figures until it returns false, and reports whether it never did.
func (p *view) eachRow(f func(*row) bool) bool {
	for i := range p.blocks {
		for k := range p.blocks[i].rows {
			if r := &p.blocks[i].rows[k]; r.failed == "" && !f(r) {
				return false
			}
		}
	}
	return true
}

// panels returns the charts of a unit, one for each family some row of which has more than 0 of it.
func panels(families []family, unit string) []panel {
	var out []panel
	for _, f := range families {
		x := panel{unit: unit}
		if len(families) > 1 {
			x.family = f.name
		}
		some := false
		for _, m := range f.members {
			values := valuesOf(m.row.res, unit)
			if values == nil {
				continue
			}
			some = some || stat.Median(values) > 0
			if len(x.items) == maxBars {
				x.more++
				continue
			}
			x.items = append(x.items, panelItem{familyRow: m})
		}
		if some && len(x.items) > 0 {
			out = append(out, x)
		}
	}
	return out
}

// title returns what a panel shows.
func (x *panel) title(p *view) string {
	title := p.Text(pictureTitle(x.unit))
	if x.family == "" {
		return title
	}
	return title + ": " + x.family
}

// bars returns the panel as a chart, with intervals of that confidence.
func (x *panel) bars(p *view, level float64) chart.Bars {
	c := chart.Bars{Title: x.title(p), Subtitle: "median of forks and " + units.Level(level) + " interval"}
	factor := 1.0
	c.Unit, factor, c.Plain = axisUnit(x.unit)
	for i := range x.items {
		it := &x.items[i]
		it.interval = stat.MedianInterval(valuesOf(it.row.res, x.unit), level)
		c.Bars = append(c.Bars, chart.Bar{
			Label: p.Middle(it.label, maxLabel), Group: p.Middle(it.group, 2*maxLabel),
			Value: it.interval.Median * factor, Lo: it.interval.Lo * factor, Hi: it.interval.Hi * factor,
		})
	}
	if x.more > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("the first %d of %d; the table of results has all", len(x.items), len(x.items)+x.more))
	}
	return c
}

// A family is benchmarks that are drawn together: those of one function, which differ in parameters, or those of a package
// that are alone in their functions.
type family struct {
	name    string
	mixed   bool // it is of several functions
	members []familyRow
}

// familyRow is a row of a family. Rows of a group stand together and differ in their labels.
type familyRow struct {
	row          *row
	label, group string
}

// families returns the rows that have figures, by family.
func (p *view) families() []family {
	type key struct{ pkg, function string }
	names := map[key]map[string]bool{}
	p.eachRow(func(r *row) bool {
		k := key{r.res.Pkg, functionOf(r.res.Name)}
		if names[k] == nil {
			names[k] = map[string]bool{}
		}
		names[k][r.res.Name] = true
		return true
	})
	at := map[key]int{}
	var out []family
	p.eachRow(func(r *row) bool {
		k := key{r.res.Pkg, functionOf(r.res.Name)}
		if len(names[k]) < 2 {
			k.function = ""
		}
		i, seen := at[k]
		if !seen {
			i = len(out)
			at[k] = i
			name := p.pkg(r.res.Pkg)
			if k.function != "" {
				name = p.Name(k.function)
				if len(p.blocks) > 1 {
					name += " (" + p.pkg(r.res.Pkg) + ")"
				}
			}
			out = append(out, family{name: name, mixed: k.function == ""})
		}
		out[i].members = append(out[i].members, familyRow{row: r})
		return true
	})
	for i := range out {
		out[i].name = p.Middle(out[i].name, 2*maxLabel)
		out[i].arrange(p)
	}
	return out
}

// functionOf returns the name of a benchmark's function, without its sub-benchmark.
func functionOf(name string) string {
	function, _, _ := strings.Cut(name, "/")
	return function
}

// arrange gives the members their labels and groups. If they differ in several parameters, one of these groups them: the
// last one that is a number in all members, so that members of one size stand together, else the first. If they differ in
// one parameter and in their sides, the parameter groups them. Benchmarks of several functions get their names as labels.
func (f *family) arrange(p *view) {
	if f.mixed {
		f.arrangeMixed()
		return
	}
	keys, others := f.varying(p)
	group := ""
	if len(keys) > 1 || len(keys) == 1 && others {
		group = keys[0]
		for _, k := range keys {
			if f.isSize(k) {
				group = k
			}
		}
	}
	for i := range f.members {
		m := &f.members[i]
		parts := partsOf(m.row.res.Name)
		var label []string
		for _, k := range keys {
			switch part, has := parts[k]; {
			case !has:
			case k == group:
				m.group = p.Name(part)
			default:
				label = append(label, p.Name(part))
			}
		}
		m.label = strings.Join(label, "/") + strings.TrimPrefix(m.row.name, p.Name(m.row.res.Name))
		if m.row.side != "" {
			m.label += " " + m.row.side
		}
		if m.label = strings.TrimSpace(m.label); m.label == "" {
			m.label = m.row.name
		}
	}
	f.together()
}

// arrangeMixed has the sides of a benchmark stand together.
func (f *family) arrangeMixed() {
	for i := range f.members {
		m := &f.members[i]
		m.label = m.row.name
		if m.row.side != "" {
			m.group, m.label = m.row.name, m.row.side
		}
	}
	f.together()
}

// together has the members of a group stand together, in the order in which groups first appear.
func (f *family) together() {
	first := map[string]int{}
	for i, m := range f.members {
		if _, seen := first[m.group]; !seen {
			first[m.group] = i
		}
	}
	slices.SortStableFunc(f.members, func(a, b familyRow) int { return cmp.Compare(first[a.group], first[b.group]) })
}

// varying returns the parameters that are not the same in all members, and whether something else differs.
func (f *family) varying(p *view) (keys []string, others bool) {
	values := map[string]map[string]bool{}
	var order []string
	rest := map[string]bool{}
	for _, m := range f.members {
		for _, k := range keysOf(m.row.res.Name) {
			if values[k] == nil {
				values[k] = map[string]bool{}
				order = append(order, k)
			}
		}
		rest[strings.TrimPrefix(m.row.name, p.Name(m.row.res.Name))+" "+m.row.side] = true
	}
	for _, m := range f.members {
		parts := partsOf(m.row.res.Name)
		for _, k := range order {
			values[k][parts[k]] = true
		}
	}
	for _, k := range order {
		if len(values[k]) > 1 {
			keys = append(keys, k)
		}
	}
	return keys, len(rest) > 1
}

// isSize reports whether a parameter is a number in all members.
func (f *family) isSize(key string) bool {
	for _, m := range f.members {
		_, value, _ := strings.Cut(partsOf(m.row.res.Name)[key], "=")
		if _, ok := units.ParseSize(value); !ok {
			return false
		}
	}
	return true
}

// keysOf returns the keys of the parts of a name behind the function's: the names of parameters, and places of other parts.
func keysOf(name string) []string {
	var out []string
	for i, part := range strings.Split(name, "/")[1:] {
		key, _, ok := strings.Cut(part, "=")
		if !ok || slices.Contains(out, key) {
			key = fmt.Sprint(i, "/") // no parameter has a slash in its name
		}
		out = append(out, key)
	}
	return out
}

// partsOf returns the parts of a name behind the function's, by their keys.
func partsOf(name string) map[string]string {
	out, parts := map[string]string{}, strings.Split(name, "/")[1:]
	for i, k := range keysOf(name) {
		out[k] = parts[i]
	}
	return out
}
