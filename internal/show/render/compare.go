package render

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/textpage"
)

// The verdicts, as in package stat.
const (
	faster     = "faster"
	slower     = "slower"
	equivalent = "equivalent"
	undecided  = "undecided"
	more       = "more"
	less       = "less"
	unchanged  = "same"
	identical  = "identical"
)

// mostLost is how many lost benchmarks are named unless all are wanted.
const mostLost = 20

// distrusted is printed after a verdict that has a warning.
const distrusted = "(?)"

// versus is the comparison of one side with the base, as text.
type versus struct {
	base, side string // printable
	tested     bool   // not all is identical
	blocks     []pairBlock
	geomeans   []ratio
	counts     []count
	legend     []string
}

// pairBlock holds the compared benchmarks of one package.
type pairBlock struct {
	pkg   string
	pairs []pair
}

// pair is the comparison of one benchmark and role on two sides.
type pair struct {
	name  string
	main  *ratio  // nil if the sides have no main unit in common
	under []ratio // the other units worth a row
}

// count is the number of benchmarks with one verdict, judged by their main units.
type count struct {
	n     int
	what  string
	style termtext.Style
}

func (c count) String() string { return strconv.Itoa(c.n) + " " + c.what }

// broken is a benchmark without figures, and why it has none.
type broken struct{ name, side, why string }

// compare converts all comparisons to text. Unless all is set, it leaves out units that did not change.
func (p *view) compare(s *result.Result, all bool) {
	for _, l := range s.NamedLost() {
		p.lost = append(p.lost, p.Text(l.String()))
	}
	if n := len(p.lost) - mostLost; n > 0 && !all {
		p.lost = append(p.lost[:mostLost], fmt.Sprintf("and %d more", n))
	}
	if len(s.Comparisons) == 0 {
		return
	}
	for i := range s.Comparisons {
		c := &s.Comparisons[i]
		if !slices.ContainsFunc(p.versus, func(v versus) bool { return v.base == p.Name(c.Base) && v.side == p.Name(c.Side) }) {
			p.versus = append(p.versus, p.against(s, c.Base, c.Side, all))
		}
	}
	p.failed(s)
	for _, w := range s.Warnings {
		if w.Code == diagnosis.OneSide && !w.Listed {
			p.lacking = append(p.lacking, p.Text(w.Text))
		}
	}
}

// against returns the comparison of one side with the base as text.
func (p *view) against(s *result.Result, base, side string, all bool) versus {
	v := versus{base: p.Name(base), side: p.Name(side)}
	var rows []*result.Comparison
	for i := range s.Comparisons {
		if c := &s.Comparisons[i]; c.Base == base && c.Side == side {
			rows = append(rows, c)
		}
	}
	at, procs := threshold(s), procsCompared(rows)
	for _, group := range grouped(rows) {
		pkg := p.pkg(group[0].Pkg)
		i := slices.IndexFunc(v.blocks, func(b pairBlock) bool { return b.pkg == pkg })
		if i < 0 {
			i = len(v.blocks)
			v.blocks = append(v.blocks, pairBlock{pkg: pkg})
		}
		x := p.pair(group, procs, at, all)
		v.blocks[i].pairs = append(v.blocks[i].pairs, x)
	}
	v.tested = slices.ContainsFunc(rows, func(c *result.Comparison) bool { return c.Verdict != identical })
	for _, g := range s.Geomeans {
		if g.Base == base && g.Side == side && v.tested {
			v.geomeans = append(v.geomeans, p.geomean(g))
		}
	}
	if len(v.geomeans) > 1 {
		for i := range v.geomeans {
			v.geomeans[i].unit = "geomean of " + v.geomeans[i].unit
		}
	} else if len(v.geomeans) == 1 {
		v.geomeans[0].unit = "geomean"
	}
	v.counts = append(counts(rows), brokenOn(s, base, side)...)
	v.legend = v.explain()
	return v
}

// grouped groups the rows by benchmark and role, in the order in which each appears first.
func grouped(rows []*result.Comparison) [][]*result.Comparison {
	type key struct {
		pkg, name string
		procs     int
		role      string
	}
	at := map[key]int{}
	var out [][]*result.Comparison
	for _, c := range rows {
		k := key{c.Pkg, c.Name, c.Procs, c.Role}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], c)
	}
	return out
}

// procsCompared returns the benchmarks, by package and name, that ran with more than one GOMAXPROCS.
func procsCompared(rows []*result.Comparison) map[[2]string]bool {
	first, out := map[[2]string]int{}, map[[2]string]bool{}
	for _, c := range rows {
		k := [2]string{c.Pkg, c.Name}
		if n, ok := first[k]; ok && n != c.Procs {
			out[k] = true
		} else {
			first[k] = c.Procs
		}
	}
	return out
}

// pair converts the rows of one benchmark to text.
func (p *view) pair(group []*result.Comparison, procs map[[2]string]bool, threshold float64, all bool) pair {
	c := group[0]
	name, before := c.Name, ""
	if c.Renamed != nil {
		name, before = c.Renamed.To, p.Name(c.Renamed.From)+p.Text(" → ")
	}
	out := pair{name: before + p.benchmark(name, c.Procs, procs[[2]string{c.Pkg, c.Name}])}
	if c.Role != "" {
		out.name += " " + p.Name(c.Role)
	}
	for _, c := range group {
		if c.Main && out.main == nil {
			r := p.ratio(c, threshold)
			out.main = &r
		}
	}
	for _, c := range group {
		switch {
		case c.Main, isDetail(c.Unit) && !all, isTabled(c.Unit) && !all && c.Verdict == undecided:
		case all || out.main == nil || changed(c) && !mirrors(c, out.main):
			out.under = append(out.under, p.ratio(c, threshold))
		}
	}
	return out
}

// rows returns the rows of the main unit and of the other units shown.
func (x *pair) rows() []ratio {
	if x.main == nil {
		return x.under
	}
	return append([]ratio{*x.main}, x.under...)
}

// notes returns the warnings about a benchmark. A warning about its forks concerns all units and is returned once.
func (x *pair) notes() []result.Warning {
	var out []result.Warning
	for _, r := range x.rows() {
		out = append(out, r.notes...)
	}
	return out
}

// changed reports whether a unit other than the main one is shown: its verdict is not unchanged, equivalent or
// identical.
func changed(c *result.Comparison) bool {
	return c.Verdict != unchanged && c.Verdict != equivalent && c.Verdict != identical
}

// mirrors reports whether a row repeats the main row in another unit: MB/s is computed from ns/op.
func mirrors(c *result.Comparison, main *ratio) bool {
	return c.Unit == "MB/s" && main.c.Unit == "ns/op" && c.Verdict == main.c.Verdict
}

// matters reports whether a benchmark is shown if only changes are wanted. Warnings about the whole run do not
// count.
func (x *pair) matters() bool {
	return x.main == nil || len(x.under) > 0 && slices.ContainsFunc(x.under, func(r ratio) bool { return changed(r.c) }) ||
		changed(x.main.c) || !x.main.c.Trusted && x.main.suspect()
}

// counts returns the number of benchmarks with each verdict, judged by their main units. Verdicts about times and rates are
// included even if their number is 0. Verdicts that are not trusted have counts of their own.
func counts(rows []*result.Comparison) []count {
	n, untrusted := map[string]int{}, map[string]int{}
	for _, c := range rows {
		switch {
		case c.Main && c.Trusted:
			n[c.Verdict]++
		case c.Main:
			untrusted[c.Verdict]++
		}
	}
	timed := false
	for _, v := range []string{faster, slower, equivalent, undecided} {
		timed = timed || n[v]+untrusted[v] > 0
	}
	var out []count
	words := []string{faster, slower, equivalent, undecided, more, less, unchanged, identical}
	for _, v := range words {
		if n[v] > 0 || timed && slices.Contains([]string{faster, slower, equivalent, undecided}, v) {
			c := count{n: n[v], what: verdictWord(v)}
			if n[v] > 0 {
				c.style = verdictStyle(v)
			}
			out = append(out, c)
		}
	}
	for _, v := range words {
		if untrusted[v] > 0 {
			out = append(out, count{untrusted[v], verdictWord(v) + " " + distrusted, termtext.Yellow})
		}
	}
	return out
}

// brokenOn returns the number of benchmarks all of whose forks failed on one of the sides, as the element
// "failed". It returns nil if there are none.
func brokenOn(s *result.Result, base, side string) []count {
	type key struct {
		pkg, name string
		procs     int
	}
	seen := map[key]bool{}
	for _, r := range s.Results {
		if r.Forks == 0 && (r.Side == base || r.Side == side) {
			seen[key{r.Pkg, r.Name, r.Procs}] = true
		}
	}
	if len(seen) == 0 {
		return nil
	}
	return []count{{len(seen), "failed", termtext.Red}}
}

// explain returns explanations of the words that occur in the table.
func (v *versus) explain() []string {
	var untrusted, copies, rates bool
	for _, b := range v.blocks {
		for _, x := range b.pairs {
			for _, r := range x.rows() {
				c := r.c
				untrusted = untrusted || !c.Trusted
				copies = copies || c.Verdict == identical
				rates = rates || c.Verdict == faster && c.Ratio > 1 || c.Verdict == slower && c.Ratio < 1
			}
		}
	}
	var out []string
	out = append(out, v.ratioNote()...)
	out = append(out, v.unseen()...)
	if untrusted {
		out = append(out, distrusted+" not trusted: see the notes below")
	}
	if copies {
		out = append(out, "identical: both sides are the same binary, nothing to test")
	}
	if rates {
		out = append(out, "of rates, a ratio above 1 is faster")
	}
	return out
}

// ratioNote returns a note for each kind of ratio that is not of the medians beside it, where some row shows that: a reader who
// divides the medians would find a number outside of the interval, or a change the other way.
func (v *versus) ratioNote() []string {
	var out []string
	for _, b := range v.blocks {
		for _, x := range b.pairs {
			for _, r := range x.rows() {
				if text := textpage.RatioOf(r.c); text != "" && r.contradictsMedians() && !slices.Contains(out, text) {
					out = append(out, text)
				}
			}
		}
	}
	return out
}

// contradictsMedians reports whether the quotient of the medians lies outside of the interval of the ratio, or a reader sees the
// medians change one way and the ratio the other.
func (r *ratio) contradictsMedians() bool {
	c := r.c
	if !(c.Old > 0) || math.IsNaN(float64(c.Ratio)) {
		return false
	}
	of := c.New / c.Old
	opposite := r.old != r.new && (of > 1 && c.Ratio < 1 || of < 1 && c.Ratio > 1) && strings.TrimRight(r.ratio, ".0") != "1"
	return of < c.Lo || of > c.Hi || c.Undisturbed == nil && opposite
}

// unseen returns a note for each quantity that was not compared in some row, and how to have it compared.
func (v *versus) unseen() []string {
	rows, n := 0, map[string]int{}
	for _, b := range v.blocks {
		for _, x := range b.pairs {
			if x.main != nil && x.main.c.Undisturbed != nil {
				rows++
				for _, q := range x.main.c.Unseen {
					n[q]++
				}
			}
		}
	}
	var out []string
	for _, q := range []struct{ quantity, how string }{
		{result.QuantityCollection, "--deep counts them"},
		{result.QuantityTail, "it takes 4 iterations a fork"},
	} {
		switch k := n[q.quantity]; {
		case k == 0:
		case k == rows:
			out = append(out, q.quantity+" ("+q.how+")")
		default:
			out = append(out, fmt.Sprintf("%s of %d of %d rows (%s)", q.quantity, k, rows, q.how))
		}
	}
	if len(out) == 0 {
		return nil
	}
	return []string{"not compared: " + strings.Join(out, ", ")}
}

// failed lists the results without figures, and what the failed forks printed.
func (p *view) failed(s *result.Result) {
	pkgs := map[string]bool{}
	for i := range s.Results {
		pkgs[s.Results[i].Pkg] = true
	}
	for _, r := range result.InOrder(s.Results) {
		name := p.named(r.Pkg, r.Name, r.Procs, "")
		p.output(r, name)
		if r.Forks > 0 {
			continue
		}
		if len(pkgs) > 1 {
			name += " of " + p.pkg(r.Pkg)
		}
		b := broken{name: name, side: p.Name(r.Side), why: p.Text(r.Failed)}
		if b.why == "" {
			b.why = "no figures"
		}
		p.broken = append(p.broken, b)
	}
}
