package calls

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/record"

	"github.com/tarebench/tare/internal/base/units"
)

// left lists the functions that match and have no probe, by reason: most first.
func (t *text) left(c *Calls) {
	why := map[string][]string{}
	for _, l := range c.t.Left {
		why[l.Why] = append(why[l.Why], c.names.of(l.Name))
	}
	reasons := slices.Sorted(maps.Keys(why))
	slices.SortStableFunc(reasons, func(a, b string) int { return cmp.Compare(len(why[b]), len(why[a])) })
	if len(reasons) == 0 {
		return
	}
	t.Para(termtext.Normal, "left alone, although the names match: %s", units.Plural(len(c.t.Left), "function"))
	for _, r := range reasons {
		slices.Sort(why[r])
		t.List("  "+shorten(t.Charset, t.Line(cmp.Or(r, "no reason given")), t.Columns-30), why[r])
	}
	t.Blank()
}

// inlined lists the functions whose calls cost more than their probes, because probes
// keep them from being inlined.
func (t *text) inlined(c *Calls) {
	if c.t.Unknown != "" {
		t.Para(termtext.Normal, "not known which functions probes keep from being inlined: %s", t.Line(c.t.Unknown))
	}
	called := map[string]bool{}
	for _, i := range c.order {
		called[c.t.Funcs[i].Name] = true
	}
	var names []string
	for _, name := range c.t.Inlined {
		if called[name] { // of others it cost nothing
			names = append(names, c.names.of(name))
		}
	}
	if len(names) > 0 {
		t.List("would be inlined without probes, which is "+pick(c.t.Scale.Used, "corrected on average only", "not corrected"), names)
	}
	t.Blank()
}

// cost says what a probe takes, and what all of them did.
func (t *text) cost(c *Calls) {
	r, p := c.t, c.t.Probe
	var parts []string
	light := rounded(p.Light, 0.1, 2).String()
	switch {
	case !c.timed() && p.Light > 0:
		parts = append(parts, light+" per call")
	case c.timed() && p.Outside > 0:
		s := rounded(p.Inside, 0.1, 2).String() + " inside + " + rounded(max(0, p.Outside-p.Inside), 0.1, 2).String() + " outside per timed call"
		if c.loose() {
			s += ", " + rounded(p.Loose, 0.1, 2).String() + " per timed call of a few ns"
		}
		if r.Mode == record.TraceEvery && p.Light > 0 {
			s += ", " + light + " per other call"
		}
		parts = append(parts, s)
	default:
		return
	}
	parts = append(parts, "calibrated at program start")
	if s := r.Scale; s.Used {
		parts = append(parts, "by forks without probes "+units.Fixed(s.Factor, 2)+" times as much, by which times are corrected")
	} else if s.Ratio > 0 {
		parts = append(parts, fmt.Sprintf("by that the operations take %.2g times what they take in forks without probes", s.Ratio))
	}
	if r.Others >= 0.005 {
		parts = append(parts, "other processes had "+percent(r.Others).String()+" of the processors")
	}
	if added := c.added(); added > 0 {
		s := "all probes took about " + rounded(added, 0, 2).String()
		if share := added / c.all; c.all > 0 {
			s += ", " + percent(share).String() + " of the time in these functions"
		}
		parts = append(parts, s)
	}
	if why := c.unchecked(); why != "" {
		parts = append(parts, "times without probes not checked: "+why)
	}
	parts[0] = "probe: " + parts[0]
	for i := range parts {
		parts[i] = t.Text(parts[i])
	}
	t.Items(termtext.Normal, parts...)
	if c.timed() && len(c.order) > 0 {
		t.Para(termtext.Normal, "total, min, avg, max: raw; self: without probes; corrected: total without probes, where it differs%s",
			pick(c.recursive(), "; total of functions that call themselves: outer calls only", ""))
	}
}

// recursive reports whether calls of a function were made during others of it.
func (c *Calls) recursive() bool {
	return slices.ContainsFunc(c.t.Funcs, func(f record.TraceFunc) bool { return f.Mean*float64(f.Timed) > 1.001*f.Total && f.Timed >= f.Calls })
}

// loose reports whether some calls were not timed exactly.
func (c *Calls) loose() bool {
	return slices.ContainsFunc(c.t.Funcs, func(f record.TraceFunc) bool { return f.Loose > 0 })
}

// added returns what all probes took, in ns.
func (c *Calls) added() float64 {
	if c.t.Added > 0 {
		return c.took() * c.t.Added
	}
	var sum float64
	for i := range c.t.Funcs {
		sum += c.own(&c.t.Funcs[i])
	}
	return sum
}

// own returns what a function's own probes took, in ns.
func (c *Calls) own(f *record.TraceFunc) float64 {
	timed, loose := float64(min(f.Timed, f.Calls)), float64(f.Loose)
	return c.took() * ((timed-loose)*c.t.Probe.Outside + loose*c.t.Probe.Loose + (float64(f.Calls)-timed)*c.t.Probe.Light)
}

// took returns what probes took, in units of what they took at program start.
func (c *Calls) took() float64 {
	if c.t.Scale.Used {
		return c.t.Scale.Factor
	}
	return 1
}
