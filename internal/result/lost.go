package result

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/internal/result/benchtext"
	"github.com/tarebench/tare/record"
)

// Lost is a benchmark, or a unit of one, that the base has and another side has not.
type Lost struct {
	Pkg       string `json:"pkg"`
	Name      string `json:"name"`
	Procs     int    `json:"procs,omitempty"`
	Role      string `json:"role,omitempty"` // of Unit
	Base      string `json:"base"`
	Side      string `json:"side"`                 // that lacks it
	Unit      string `json:"unit,omitempty"`       // that it does not report; "": the whole benchmark is lost
	RenamedTo string `json:"renamed_to,omitempty"` // the benchmark of Side that it is compared with
	Text      string `json:"text"`                 // one line

	label  string // Name, with what tells it from others
	failed string // the case that failed instead
	beside bool   // Unit is not the main unit of the base
}

// lostOn returns what a side lost of the base, in the order of the record.
func (b *Builder) lostOn(base, side string) (out []Lost) {
	if b.by != "" { // what one implementation lacks, the other never had
		return nil
	}
	unknown, renamed := b.unknownNames(), map[identity]*caseData{}
	for _, p := range b.renamed(base, side) {
		renamed[p[0].identity()] = p[1]
	}
	of, places := b.bySide(side), map[place][]*caseData{}
	for _, c := range b.cases {
		if c.line.Side == side {
			at := place{c.line.Pkg, c.line.Procs}
			places[at] = append(places[at], c)
		}
	}
	for _, old := range b.cases {
		id := old.identity()
		if old.line.Side != base || !old.available() || unknown[id] || !b.selected(old, base, side) {
			continue
		}
		l := Lost{Pkg: id.pkg, Name: id.name, Procs: id.procs, Base: base, Side: side}
		switch new := of[id]; {
		case renamed[id] != nil:
			l.rename(renamed[id])
		case new == nil:
			l.Text = b.whyLost(old, &l, places)
		case len(new.roles()) > 0:
			out = append(out, b.lostUnits(old, new, l)...)
			continue
		case new.lastFail != nil:
			l.Text = "failed on " + side + ": " + why(new.lastFail)
		case len(old.roles()) > 0 && !b.identical(old, new):
			l.Text = side + " has no figures of it: the run is not complete"
			if !b.archived && b.sameBinary(old, new) && b.bins[new.line.Bin].Program() == "" {
				l.Text = side + " has no figures of it: its binary is that of " + base + ", and whether the files that it reads are the same is not known: measure both again"
			}
		default:
			continue // measured on no side, or one binary
		}
		out = append(out, l)
	}
	return out
}

// available reports whether a side has the benchmark: it was measured, or could have been.
func (c *caseData) available() bool {
	return len(c.roles()) > 0 || len(c.timed) == 0 && c.lastFail == nil
}

// rename says that the benchmark looks renamed, and why it is not compared if it failed under the new name.
func (l *Lost) rename(to *caseData) {
	l.RenamedTo = to.line.Name
	l.Text = "renamed to " + l.RenamedTo + "?"
	if len(to.roles()) == 0 && to.lastFail != nil {
		l.failed = l.RenamedTo
		l.Text += " That failed on " + l.Side + ": " + why(to.lastFail)
	}
}

// bySide returns the cases of a side.
func (b *Builder) bySide(side string) map[identity]*caseData {
	out := map[identity]*caseData{}
	for _, c := range b.cases {
		if c.line.Side == side {
			out[c.identity()] = c
		}
	}
	return out
}

// whyLost returns why a side has no such benchmark, as far as that is known.
func (b *Builder) whyLost(old *caseData, l *Lost, places map[place][]*caseData) string {
	for _, w := range b.warnsAbout(record.AboutCase, old.line.ID) {
		if text, ok := strings.CutPrefix(w.Text, l.Side+": "); ok && w.Code == diagnosis.Lost {
			return "on " + l.Side + " " + text
		}
	}
	if f := l.failedInstead(places[l.place()]); f != nil {
		l.failed = f.line.Name
		return l.failed + " failed on " + l.Side + ": " + why(f.lastFail)
	}
	return l.Side + " lacks it: it was removed, renamed, or skips itself"
}

// place is where a test binary runs.
type place struct {
	pkg   string
	procs int
}

func (l *Lost) place() place { return place{l.Pkg, l.Procs} }

// failedInstead returns a failed case that has taken the benchmark with it: its function, or what stands for the
// whole test binary where nothing else is left of the package. It returns nil if there is none. cases are those of
// the package on the side.
func (l *Lost) failedInstead(cases []*caseData) *caseData {
	function, _, _ := strings.Cut(l.Name, "/")
	var failed *caseData
	for _, c := range cases {
		switch {
		case c.lastFail == nil:
			return nil
		case c.line.Name == function:
			return c
		case failed == nil:
			failed = c
		}
	}
	return failed
}

// lostUnits returns the units that forks of the base report, and none of the side does.
func (b *Builder) lostUnits(old, new *caseData, l Lost) (out []Lost) {
	for _, role := range old.roles() {
		for _, u := range old.units(role) {
			if incomparable(u) || ofTool(u) || b.oneDeep() && ofHooks(u) || len(valuesOf(old.forks, role, u)) == 0 || len(new.values(role, u)) > 0 {
				continue
			}
			x := l
			x.Role, x.Unit, x.Text, x.beside = role, u, l.Side+" does not report "+u, u != mainUnit(old.units(role))
			if role != "" {
				x.Text += " of " + role
			}
			out = append(out, x)
		}
	}
	if attached.AddInstructions(old.instructions) != nil && attached.AddInstructions(new.instructions) == nil {
		l.Unit, l.Text = UnitInstructions, "no instructions were counted on "+l.Side
		l.beside = true
		out = append(out, l)
	}
	return out
}

// selected reports whether the run of a side was to measure the benchmark. Where both sides are of one run it was.
// What the flags of another run left out is not lost.
func (b *Builder) selected(old *caseData, base, side string) bool {
	x, y := b.absorbed[base], b.absorbed[side]
	if x == nil || y == nil {
		return true
	}
	c := &y.run.Config
	if len(c.CPU) > 0 && !slices.Contains(c.CPU, old.line.Procs) {
		return false
	}
	if !sameWords(x.run.Config.Packages, c.Packages) && !slices.ContainsFunc(b.cases, func(n *caseData) bool { return n.line.Side == side && n.line.Pkg == old.line.Pkg }) {
		return false
	}
	if chosen, err := benchtext.MatchName(c.Bench); err == nil && !chosen(old.named.name) {
		return false
	}
	if skipped, err := benchtext.MatchName(c.Skip); err == nil && c.Skip != "" && skipped(old.named.name) {
		return false
	}
	filter, err := benchtext.NewFilter(c.Filter)
	if err != nil {
		return true
	}
	kept, err := filter.Match(&old.line, nil)
	return kept || err != nil
}

// sameWords reports whether two lists have the same words.
func sameWords(a, b []string) bool { return inOrder(a) == inOrder(b) }

// NamedLost returns what is lost and matters to who reads a comparison: benchmarks, main units, and other units that
// a gate is about.
func (r *Result) NamedLost() (out []Lost) {
	for _, l := range r.Lost {
		if !l.beside || r.GateOfLost(&l) != "" {
			out = append(out, l)
		}
	}
	return out
}

// Takes reports whether a failed result is that of the lost benchmark, or has taken it with it: its function, or the
// whole package.
func (l *Lost) Takes(r *Benchmark) bool {
	if l.Pkg != r.Pkg || l.Procs != r.Procs || r.Side != "" && l.Side != r.Side {
		return false
	}
	function, _, _ := strings.Cut(l.Name, "/")
	return r.Name == l.Name || r.Name == function || r.Name == l.failed
}

// Label names what is lost: the benchmark, with its package if another one has such a name, and the unit if it is one.
func (l *Lost) Label() string {
	name := cmp.Or(l.label, l.Name)
	if l.Unit == "" {
		return name
	}
	return name + " " + l.Unit
}

// String returns one line without the side, which the text names.
func (l *Lost) String() string { return fmt.Sprintf("%s: %s", l.Label(), l.Text) }
