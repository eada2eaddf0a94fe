package calls

import (
	"strconv"

	"github.com/tarebench/tare/internal/base/termtext"

	"github.com/tarebench/tare/internal/base/units"
)

// HasPath reports whether the first calls were kept in their order, and there were any.
func (c *Calls) HasPath() bool { return len(c.t.Path) > 0 }

// path writes the first calls in the order in which they began. Consecutive calls of one function are one line.
func (t *text) path(c *Calls) {
	steps := c.t.Path
	if len(steps) == 0 {
		return
	}
	var items []string
	shown := 0
	for shown < len(steps) && len(items) < c.cfg.Steps {
		s := steps[shown]
		n := 1
		for shown+n < len(steps) && steps[shown+n].Func == s.Func && steps[shown+n].Goroutine == s.Goroutine {
			n++
		}
		item := shorten(t.Charset, t.Line(c.short(s.Func)), t.Columns/2)
		if n > 1 {
			item += t.Text(" ×" + units.Count(n))
		}
		if g := s.Goroutine; shown == 0 && c.t.Goroutines != 1 || shown > 0 && g != steps[shown-1].Goroutine {
			item = "[g" + strconv.FormatInt(g, 10) + "] " + item
		}
		items = append(items, item)
		shown += n
	}
	all := int64(len(steps)) + c.t.PathMore
	if int64(shown) < all {
		items = append(items, t.Text("…"))
	}
	items[len(items)-1] += " (" + units.Count(shown) + " of " + units.Count(all) + ")"
	for _, part := range t.Chain("path: ", items, " → ", "  ") {
		t.Print(termtext.Normal, part)
	}
	if c.t.PathMore > 0 {
		t.Para(termtext.Normal, "execution path incomplete: %s more", units.Count(c.t.PathMore))
	}
	t.Blank()
}
