package profile

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tarebench/tare/internal/show/table"
)

// peek is a function with those that call it, and those that it calls. Time of recursion counts once.
type peek struct {
	Function
	callers, callees []Function // Total: of the time in which one called the other; most first
}

// peeks returns the functions whose names match, most total time first.
func (v *View) peeks() (out []peek) {
	stacks := v.shown()
	for _, f := range v.inOrder(v.rows()) {
		if f.Total > 0 && v.cfg.Peek.MatchString(f.Name) {
			out = append(out, v.peek(f, stacks))
		}
	}
	slices.SortStableFunc(out, func(a, b peek) int { return cmp.Compare(b.Total, a.Total) })
	return out
}

func (v *View) peek(f Function, stacks []stack) peek {
	up, down := map[string]int64{}, map[string]int64{}
	for _, s := range stacks {
		callers, callees := map[string]bool{}, map[string]bool{}
		for i, name := range s.names {
			if name != f.Name {
				continue
			}
			if i > 0 {
				callers[s.names[i-1]] = true
			}
			if i+1 < len(s.names) {
				callees[s.names[i+1]] = true
			}
		}
		for name := range callers {
			up[name] += s.value
		}
		for name := range callees {
			down[name] += s.value
		}
	}
	return peek{f, byTotal(up), byTotal(down)}
}

func byTotal(at map[string]int64) (out []Function) {
	for _, name := range slices.Sorted(maps.Keys(at)) {
		out = append(out, Function{Name: name, Total: at[name]})
	}
	slices.SortStableFunc(out, func(a, b Function) int { return cmp.Compare(b.Total, a.Total) })
	return out
}

// peeks writes the callers and callees of the functions that [Config.Peek] names.
func (t *text) peeks(v *View) {
	if v.cfg.Peek == nil {
		return
	}
	found := v.peeks()
	if len(found) == 0 {
		t.say("no function matches --peek %s", t.Line(v.cfg.Peek.String()))
		t.Blank()
		return
	}
	tb := &table.Table{Short: withoutPaths, Columns: []table.Column{
		{Title: "callers, function, callees"}, {Title: t.noun(v), Kind: table.Right}, {Title: "of it", Kind: table.Right}, {Title: "of all", Kind: table.Right, Drop: 1},
	}}
	shown, rest := cutTop(found, t.top)
	for i, p := range shown {
		if i > 0 {
			tb.Row("")
		}
		add := func(lead string, f Function) {
			tb.Add(table.Line{Cells: []table.Cell{
				{Lead: lead, Text: t.Name(f.Name)}, {Text: value(f.Total, v.Unit)}, {Text: share(shareOf(f.Total, p.Total), 0)},
				{Text: share(v.shareShown(f.Total), v.chance(f.Total, v.Shown))},
			}})
		}
		for _, f := range p.callers {
			add("    ", f)
		}
		add("  ", p.Function)
		add("    ", Function{Name: "(self)", Total: p.Self})
		for _, f := range p.callees {
			add("    ", f)
		}
	}
	const least = 20 // cells of a name
	t.Table(tb.Fit(t.Charset, t.Columns, least))
	if len(rest) > 0 {
		t.say("%d more functions match", len(rest))
	}
	t.say("callers above the function, callees below it; of it: of its total")
	t.Blank()
}
