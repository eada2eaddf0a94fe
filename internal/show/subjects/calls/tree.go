package calls

import (
	"github.com/tarebench/tare/record"

	"github.com/tarebench/tare/internal/base/units"
)

// branches collects the lines of a tree.
type branches struct {
	c     *Calls
	depth int

	rows                    []row
	calls, total, corrected column
	share                   column
}

// tree writes who called whom.
func (t *text) tree(c *Calls) {
	if len(c.roots) == 0 || len(c.t.Tree) == len(c.roots) && len(c.roots) == len(c.order) {
		return // it has nothing that the table does not have
	}
	const level = 3 // columns of one
	b := &branches{c: c, depth: min(c.cfg.Depth, max(t.Columns/3/level, 1))}
	b.calls.title, b.total.title, b.corrected.title, b.share.title = "calls", "total", "corrected", "of all"
	b.corrected.keep = 1
	b.level(c.roots, "", "", 1)
	t.table("caller > callee", b.rows, []column{b.calls, b.total, b.corrected, b.share})
	t.Blank()
}

// level adds elements with the same parent. The lead is what stands before their branches.
func (b *branches) level(of []int, lead, first string, depth int) {
	var shown, rest []int
	for _, i := range of {
		if b.worth(i) {
			shown = append(shown, i)
		} else {
			rest = append(rest, i)
		}
	}
	if len(rest) == 1 { // a line that says so is no shorter
		shown, rest = of, nil
	}
	for n, i := range shown {
		mark, below := "", ""
		if first != "" {
			mark, below = "├─ ", "│  "
			if n == len(shown)-1 && len(rest) == 0 {
				mark, below = "└─ ", "   "
			}
		}
		b.element(i, lead+mark)
		if kids := b.c.kids[i]; len(kids) > 0 {
			if depth < b.depth {
				b.level(kids, lead+below, "below", depth+1)
			} else {
				b.sum(kids, lead+below+"└─ ", "deeper")
			}
		}
	}
	if len(rest) > 0 {
		mark := ""
		if first != "" {
			mark = "└─ "
		}
		b.sum(rest, lead+mark, "more")
	}
}

// worth reports whether an element is shown: one that leads back has no time of its own.
func (b *branches) worth(i int) bool {
	e := &b.c.t.Tree[i]
	return b.c.all == 0 || b.c.share(i) >= b.c.cfg.Share || e.Back > 0 && float64(e.Calls) >= b.c.cfg.Share*float64(b.c.t.Calls)
}

func (b *branches) element(i int, lead string) {
	e := &b.c.t.Tree[i]
	if e.Back > 0 {
		lead += "↺ "
	}
	var total, corrected, share figure
	step := known(b.c.t, e.Error)
	switch {
	case e.Back > 0:
	case e.Timed > 0 && !b.c.loops[i]:
		total, corrected = duration(e.Total, step), b.c.without(netTime{e.Total, e.Corrected, b.c.extraCall[i]}, step, 3)
	case b.c.time[i] > 0:
		total, corrected = rounded(b.c.time[i], step, 2), b.c.without(b.c.netCall(i), step, 2)
	}
	if !total.empty() && b.c.all > 0 {
		share = percent(b.c.share(i))
	}
	if e.Timed < e.Calls && b.c.t.Mode == record.TraceEvery && !total.empty() {
		total, corrected = approx(total), approx(corrected)
	}
	b.add(row{lead, b.c.short(e.Func)}, count(e.Calls), total, corrected, share)
}

// sum adds a line for elements that are not shown.
func (b *branches) sum(of []int, lead, word string) {
	var calls int64
	var all netTime
	for _, i := range of {
		calls += b.c.t.Tree[i].Calls
		x := b.c.netCall(i)
		all = netTime{all.raw + x.raw, all.net + x.net, all.extra + x.extra}
	}
	f, corrected := rounded(all.raw, step(b.c.t), 2), b.c.without(all, step(b.c.t), 2)
	if b.c.t.Mode == record.TraceEvery {
		f, corrected = approx(f), approx(corrected)
	}
	share := figure{}
	if b.c.all > 0 {
		share = percent(all.raw / b.c.all)
	}
	b.add(row{lead, units.Count(len(of)) + " " + word}, count(calls), f, corrected, share)
}

func (b *branches) add(r row, calls, total, corrected, share figure) {
	b.rows = append(b.rows, r)
	b.calls.cells = append(b.calls.cells, calls)
	b.total.cells = append(b.total.cells, total)
	b.corrected.cells = append(b.corrected.cells, corrected)
	b.share.cells = append(b.share.cells, share)
}

// without returns a time without probes, of so many digits; nothing where it is shown as the
// same as that with them.
func (c *Calls) without(x netTime, step float64, digits int) figure {
	coarse := max(step, c.digits(x))
	out := atMost(rounded(x.net, coarse, digits), coarse, x.raw)
	if c.unreliable(x) {
		return c.markUnreliable(out, x)
	}
	if out == atMost(rounded(x.raw, coarse, digits), coarse, x.raw) && (!out.below() || rounded(x.raw, step, digits).below()) {
		return figure{}
	}
	return out
}
