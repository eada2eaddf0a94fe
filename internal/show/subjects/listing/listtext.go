package listing

import (
	"slices"

	"github.com/tarebench/tare/internal/base/termtext"

	"github.com/tarebench/tare/internal/base/units"
)

// entry is a row of a list for people.
type entry struct {
	samples     []int64
	name, place string
	style       termtext.Style
}

// lists writes the hottest regions, the hottest functions in two ways, and the areas.
func (t *text) lists(l *Listing) {
	var regions []entry
	for _, r := range l.regions {
		regions = append(regions, entry{samples: r.samples, name: r.fn.rec.Name, place: r.place(t.g)})
	}
	t.list(l, "hottest regions", "region", regions)
	if sameRows(l.inlined, l.symbols) {
		t.list(l, "hottest functions (nothing of note was inlined)", "function", entries(l.symbols))
	} else {
		t.list(l, "hottest functions, after inlining", "function", entries(l.inlined))
		t.list(l, "hottest functions, with what was inlined into them", "function", entries(l.symbols))
	}
	t.list(l, "by area", "area", entries(l.areas))
	if l.unit.counts == Percent && !l.many() {
		t.line()
		t.para("±: one standard error of the share, in points", termtext.Dim)
	}
}

func entries(rows []row) []entry {
	var out []entry
	for _, r := range rows {
		out = append(out, entry{samples: r.samples, name: r.name, place: r.place})
	}
	return out
}

// sameRows reports whether two lists say the same.
func sameRows(a, b []row) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].name != b[i].name || more(a[i].samples, b[i].samples) != 0 {
			return false
		}
	}
	return true
}

// list writes a list: its top, one row for the rest, and the total. Nothing is left
// out, so that every column adds up.
func (t *text) list(l *Listing, title, noun string, all []entry) {
	rows := l.top(all, noun)
	t.line()
	t.Print(termtext.Bold, title)
	cols := t.columns(l, rows)
	t.listTitles(l, cols)
	names, room := 0, t.Columns-2
	for _, c := range cols {
		room -= c.width + 2
	}
	for i := range rows {
		rows[i].name, rows[i].place = t.g.Line(rows[i].name), t.g.Line(rows[i].place)
		names = max(names, termtext.Width(rows[i].name))
	}
	names = min(names, room*3/5)
	for i, e := range rows {
		figures := "  "
		for _, c := range cols {
			figures += e.style.Paint(termtext.Right(c.cells[i], c.width), t.Color) + "  "
		}
		if e.place == "" {
			t.line(figures, e.style.Paint(t.g.Middle(e.name, room), t.Color))
			continue
		}
		if termtext.Width(e.place) > room-names-2 {
			e.place = base(e.place)
		}
		t.line(figures, termtext.Left(t.g.Middle(e.name, names), names), "  ", termtext.Dim.Paint(t.g.Middle(e.place, room-names-2), t.Color))
	}
}

// top returns the first rows, one of all others, and the total.
func (l *Listing) top(all []entry, noun string) []entry {
	out := slices.Clone(all)
	if len(all)-1 > l.cfg.Top { // a rest of one would be no shorter
		rest := entry{samples: make([]int64, len(l.all)), style: termtext.Dim, name: units.Plural(len(all)-l.cfg.Top, "more "+noun)}
		for _, e := range all[l.cfg.Top:] {
			for k, n := range e.samples {
				rest.samples[k] += n
			}
		}
		out = append(out[:l.cfg.Top], rest)
	}
	return append(out, entry{samples: l.all, name: "all samples", style: termtext.Dim})
}

// column is a column of figures.
type column struct {
	title string
	event int
	width int
	cells []string
}

// columns returns the figures of a list: shares with their standard error and samples, or
// of several events what there is room for.
func (t *text) columns(l *Listing, rows []entry) []column {
	const wide = 24 // of a share and samples
	events := t.events(l)
	roomy := wide*len(events) <= t.Columns/2
	var out []column
	for _, e := range events {
		u := column{title: l.unit.title(e), event: e}
		pm, n := column{title: t.g.pm, event: e}, column{title: "samples", event: e}
		for i, r := range rows {
			u.cells = append(u.cells, l.unit.text(e, r.samples[e]))
			n.cells = append(n.cells, units.Count(r.samples[e]))
			s := ""
			if l.all[e] > 0 && i < len(rows)-1 {
				s = points(deviation(float64(r.samples[e])/float64(l.all[e]), l.all[e]))
			}
			pm.cells = append(pm.cells, s)
		}
		switch l.unit.of(e) {
		case Percent:
			out = append(out, u)
			if !l.many() {
				out = append(out, pm)
			} else {
				out[len(out)-1].width = min(termtext.Width(t.g.Line(l.asm.Events[e].Name)), 12)
			}
		case PerOp:
			out = append(out, u)
		}
		if roomy || l.unit.of(e) == Raw {
			out = append(out, n)
		}
	}
	for i := range out {
		out[i].width = max(out[i].width, termtext.Width(out[i].title))
		for _, c := range out[i].cells {
			out[i].width = max(out[i].width, termtext.Width(c))
		}
	}
	return out
}

// listTitles names the columns, and the events above them where there are several.
func (t *text) listTitles(l *Listing, cols []column) {
	if l.many() {
		s := "  "
		for _, e := range t.events(l) {
			w := -2
			for _, c := range cols {
				if c.event == e {
					w += c.width + 2
				}
			}
			s += termtext.Right(t.g.Middle(t.g.Line(l.asm.Events[e].Name), w), w) + "  "
		}
		t.Print(termtext.Dim, s)
	}
	s := "  "
	for _, c := range cols {
		s += termtext.Right(c.title, c.width) + "  "
	}
	t.Print(termtext.Dim, s)
}
