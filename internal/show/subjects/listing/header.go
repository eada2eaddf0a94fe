package listing

import (
	"cmp"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// header says what was sampled, and how well.
func (t *text) header(l *Listing, title string) {
	a := l.asm
	const most = 40 // of a binary's name: it may be a checksum
	binary := t.g.Middle(t.g.Line(a.Binary), most)
	first := []string{cmp.Or(t.g.Middle(t.g.Line(title), t.Columns), binary, "program")}
	if title != "" && a.Binary != "" {
		first = append(first, binary)
	}
	if a.Arch != "" {
		first = append(first, t.g.Line(a.Arch))
	}
	t.items(first, termtext.Bold)
	for i := range a.Events {
		items := t.event(a, &a.Events[i])
		if i == 0 && a.Cost > 0 {
			items = append(items, "sampler cost "+units.PercentTo(a.Cost, 1))
		}
		t.items(items, termtext.Normal)
	}
	if n := len(a.Events) - len(t.events(l)); n > 0 {
		t.para(units.Plural(n, "event")+" without a column: the table is too narrow", termtext.Dim)
	}
	t.items(t.window(l), termtext.Normal)
	if a.Stopped >= leastStopped {
		t.para("the timer was stopped for "+units.PercentTo(a.Stopped, 1)+" of it: those "+units.Count(a.Events[0].Stopped)+" samples do not count", termtext.Normal)
	}
	for _, p := range a.Rejected {
		t.para(textpage.Rejected(p, t.g.Line(a.Events[0].Name)), termtext.Dim)
	}
	if a.NoLines != "" {
		t.para("no source lines: "+a.NoLines, termtext.Dim)
	}
}

// event returns how an event was sampled.
func (t *text) event(a *record.Asm, e *record.AsmEvent) []string {
	name := t.g.Line(e.Name)
	if e.Precise {
		name += " (precise)"
	}
	if !named(a.Source, e.Name) {
		name += " by " + t.g.Line(a.Source)
	}
	switch {
	case e.Asked > 0 && e.Achieved > 0:
		name += ", " + hertz(e.Asked) + " target, " + hertz(e.Achieved) + " achieved"
	case rateOf(e) > 0:
		name += ", " + hertz(rateOf(e))
	}
	items := []string{name, units.Count(e.Samples) + " samples, " + units.Count(e.Lost) + " lost"}
	if e.Throttled > 0 {
		items = append(items, "throttled "+units.Count(e.Throttled)+" times")
	}
	switch {
	case e.UserOnly:
		items = append(items, "without the kernel")
	case e.Samples > 0 && (e.Kernel > 0 || a.Source == record.AsmPerf): // others may not know
		items = append(items, "kernel "+units.PercentTo(float64(e.Kernel)/float64(e.Samples), 2))
	}
	return items
}

// named reports whether the name of an event says already where its samples are from.
func named(source, event string) bool { return source == "" || source == event }

// leastStopped is the share of the window in which the timer was stopped from which on that is reported.
const leastStopped = 0.005

// window returns which samples count.
func (t *text) window(l *Listing) []string {
	a := l.asm
	var out []string
	switch a.Window {
	case record.AsmMarks:
		out = append(out, "window: the measured iterations, by their marks")
	case record.AsmRough:
		out = append(out, "window: approximate, between result lines")
	case record.AsmWhole:
		of := "the whole run"
		if a.Events[0].Outside > 0 {
			of = "a part of the run" // who asked for it knows which
		}
		out = append(out, "window: "+of)
	}
	if n := a.Events[0].Outside - a.Events[0].Stopped; n > 0 {
		out = append(out, units.Count(n)+" samples outside do not count")
	}
	if a.Ops > 0 {
		of := units.Count(a.Ops) + " operations"
		if ns := l.unit.perOp(); ns != "" {
			of += ", " + ns + " ns of CPU time each"
		}
		out = append(out, of)
	}
	return out
}
