package calls

import (
	"cmp"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/textpage"
)

// header says what was counted, and how.
func (t *text) header(c *Calls, title string) {
	r := c.t
	const most = 40 // of a binary's name: it may be a checksum
	binary := shorten(t.Charset, t.Line(r.Binary), most)
	first := []string{cmp.Or(shorten(t.Charset, t.Line(title), t.Columns), binary, "program")}
	if title != "" && binary != "" {
		first = append(first, binary)
	}
	if r.Version != "" {
		first = append(first, t.Line(r.Version))
	}
	t.Items(termtext.Bold, first...)
	var facts []string
	if r.Ops > 0 {
		facts = append(facts, c.operations())
	}
	of := units.Plural(r.Calls, "call") + " of " + units.Plural(len(c.order), "function")
	if p := c.names.pkg; p != "" {
		of += " of package " + shorten(t.Charset, t.Line(p), most)
	}
	facts = append(facts, of)
	if r.Goroutines > 0 {
		facts = append(facts, units.Plural(r.Goroutines, "goroutine"))
	}
	switch {
	case !c.timed():
		facts = append(facts, "counted, not timed")
	case r.Mode == record.TraceEvery:
		facts = append(facts, "one of "+units.Count(r.Every)+" timed, on average")
	default:
		facts = append(facts, "each timed")
	}
	if c.timed() {
		facts = append(facts, map[string]string{
			record.TraceCycles: "by the processor's counter", record.TraceMonotonic: "by the kernel's clock",
		}[r.Clock])
	}
	t.Items(termtext.Normal, facts...)
	t.Blank()
}

// functions is the table of those that were called.
func (t *text) functions(c *Calls) {
	if len(c.order) == 0 {
		t.Para(termtext.Normal, "no function with probes was called, of %s", units.Count(len(c.t.Funcs)))
		t.Blank()
		return
	}
	shown, rest := textpage.Cut(c.order, c.cfg.Top)
	rows, cols := c.rows(shown)
	t.table("function", rows, cols)
	t.long(c, shown)
	if len(rest) > 0 {
		t.rest(c, rest)
	}
	t.Blank()
}

// rows returns the rows of functions and the columns of the main table.
func (c *Calls) rows(of []int) ([]row, []column) {
	calls, share := column{title: "calls"}, column{title: "share"}
	perOp, forks := column{title: "calls/op"}, column{title: "in forks", keep: 6}
	total, corrected, self := column{title: "total"}, column{title: "corrected"}, column{title: "self", keep: 7}
	least, mean, most := column{title: "min", keep: 2}, column{title: "avg", keep: 5}, column{title: "max", keep: 3}
	probe, mark := column{title: "probe", keep: 1}, column{}
	var rows []row
	for _, i := range of {
		f := &c.t.Funcs[i]
		rows = append(rows, row{name: c.short(i)})
		calls.cells = append(calls.cells, count(f.Calls))
		per, spread := c.perOp(f)
		perOp.cells, forks.cells = append(perOp.cells, per), append(forks.cells, spread)
		if !c.timed() {
			share.cells = append(share.cells, percent(float64(f.Calls)/float64(c.t.Calls)))
			continue
		}
		total.cells = append(total.cells, c.total(f))
		corrected.cells = append(corrected.cells, c.corrected(i))
		self.cells = append(self.cells, c.self(i))
		var x [4]figure
		bad := figure{}
		if f.Timed > 0 {
			x = [4]figure{duration(f.Min, step(c.t)), duration(f.Mean, max(0.1, knownMean(c.t, f))), duration(f.Max, step(c.t)), percent(probes(f))}
			if f.Probes() {
				bad.whole = "!"
			}
			if c.t.Long(f).N > 0 {
				bad.whole += "*"
			}
		}
		least.cells, mean.cells, most.cells, probe.cells = append(least.cells, x[0]), append(mean.cells, x[1]), append(most.cells, x[2]), append(probe.cells, x[3])
		mark.cells = append(mark.cells, bad)
	}
	return rows, []column{calls, perOp, forks, share, total, corrected, self, least, mean, most, probe, mark}
}

// rest sums up functions that are not shown.
func (t *text) rest(c *Calls, of []int) {
	var calls int64
	var self netTime
	for _, i := range of {
		calls += c.t.Funcs[i].Calls
		x := c.netSelf(i)
		self = netTime{self.raw + x.raw, self.net + x.net, self.extra + x.extra}
	}
	s := units.Plural(len(of), "function") + " more: " + units.Plural(calls, "call")
	if c.timed() {
		finest, digits := max(step(c.t), c.digits(self)), 3
		if c.t.Mode == record.TraceEvery {
			digits = 2
		}
		d := rounded(self.net, finest, digits)
		if c.t.Mode == record.TraceEvery {
			d = approx(d)
		}
		s += ", self " + c.markUnreliable(d, self).String()
	}
	t.Para(termtext.Normal, "%s", s)
}

// endings says which calls did not end as calls do, and which functions were not called.
func (t *text) endings(c *Calls) {
	for _, e := range []struct {
		title string
		of    func(f *record.TraceFunc) int64
	}{
		{"not ended", func(f *record.TraceFunc) int64 { return f.Open }},
		{"ended by a panic", func(f *record.TraceFunc) int64 { return f.Panics }},
		{"ended by runtime.Goexit", func(f *record.TraceFunc) int64 { return f.Goexits }},
	} {
		var names []string
		for _, i := range c.order {
			if n := e.of(&c.t.Funcs[i]); n > 0 {
				names = append(names, units.Count(n)+" of "+c.short(i))
			}
		}
		if len(names) > 0 {
			t.List(e.title, names)
		}
	}
	if len(c.idle) > 0 && len(c.order) > 0 {
		var names []string
		for _, i := range c.idle {
			names = append(names, c.short(i))
		}
		t.List("not called", names)
	}
	t.Blank()
}
