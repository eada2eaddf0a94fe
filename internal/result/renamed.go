package result

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/base/suggest"
	"github.com/tarebench/tare/record"
)

// Renamed is a pair of benchmarks of two sides that are compared although their names differ.
type Renamed struct {
	From string `json:"from"` // on the base
	To   string `json:"to"`
}

// Limits of the search for renamed benchmarks. A package with more candidates, and longer names, have only pairs that
// need no search.
const (
	mostCandidates = 4000
	longestName    = 200 // bytes
)

// PairRenamed finds benchmarks that look renamed. lost are those that only the base has, born those that only the
// other side has. For each of lost it returns the index of its pair in born, or -1. Each of born is in one pair at
// most. Both benchmarks of a pair are in one package, have the same GOMAXPROCS, and names of the same shape (see
// sameShape). If a package has one lost and one new benchmark, they are a pair. Otherwise the names must be similar,
// and neither may be as similar to a third.
func PairRenamed(lost, born []*record.Case) []int {
	out := make([]int, len(lost))
	losses, births := map[place][]int{}, map[place][]int{}
	for i, c := range lost {
		out[i] = -1
		losses[place{c.Pkg, c.Procs}] = append(losses[place{c.Pkg, c.Procs}], i)
	}
	for i, c := range born {
		births[place{c.Pkg, c.Procs}] = append(births[place{c.Pkg, c.Procs}], i)
	}
	for at, from := range losses {
		to := births[at]
		if len(from) == 1 && len(to) == 1 {
			if sameShape(lost[from[0]].Name, born[to[0]].Name) {
				out[from[0]] = to[0]
			}
			continue
		}
		pairSimilar(lost, born, from, to, out)
	}
	return out
}

// nearest is the most similar partner of a name; a second one that is as similar makes it ambiguous.
type nearest struct {
	index, distance int
	ambiguous       bool
}

func (n *nearest) see(index, distance int) {
	switch {
	case n.index < 0 || distance < n.distance:
		*n = nearest{index, distance, false}
	case distance == n.distance:
		n.ambiguous = true
	}
}

// pairSimilar pairs the names of a package that are each other's nearest.
func pairSimilar(lost, born []*record.Case, from, to, out []int) {
	ofLost, ofBorn := make([]nearest, len(from)), make([]nearest, len(to))
	for i := range ofLost {
		ofLost[i].index = -1
	}
	for j := range ofBorn {
		ofBorn[j].index = -1
	}
	candidates := 0
	for i, a := range from {
		for j, b := range to {
			x, y := lost[a].Name, born[b].Name
			if max(len(x), len(y)) > longestName || !sameShape(x, y) {
				continue
			}
			if candidates++; candidates > mostCandidates {
				return
			}
			if d := suggest.Distance(x, y); 4*d <= max(utf8.RuneCountInString(x), utf8.RuneCountInString(y)) {
				ofLost[i].see(j, d)
				ofBorn[j].see(i, d)
			}
		}
	}
	for i, n := range ofLost {
		if n.index >= 0 && !n.ambiguous && ofBorn[n.index].index == i && !ofBorn[n.index].ambiguous {
			out[from[i]] = to[n.index]
		}
	}
}

// sameShape reports whether two names may be of one benchmark: they have the same number of elements, of which one
// differs, and no parameter has another value. A size that changed makes another benchmark.
func sameShape(a, b string) bool {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	if len(x) != len(y) {
		return false
	}
	differ := 0
	for i := range x {
		if x[i] == y[i] {
			continue
		}
		differ++
		_, v, parameter := strings.Cut(x[i], "=")
		_, w, other := strings.Cut(y[i], "=")
		if parameter != other || v != w || i > 0 && withoutDigits(x[i]) == withoutDigits(y[i]) {
			return false
		}
	}
	return differ == 1
}

func withoutDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, s)
}

// renamed returns the pairs of cases of two sides whose benchmarks look renamed.
func (b *Builder) renamed(base, side string) (out [][2]*caseData) {
	if record.KindOf(b.run) != record.KindBench || b.by != "" { // other names are commands or operations
		return nil
	}
	olds, news, unknown := b.bySide(base), b.bySide(side), b.unknownNames()
	var lost, born []*record.Case
	var from, to []*caseData
	for _, c := range b.cases {
		id := c.identity()
		switch {
		case unknown[id]:
		case c.line.Side == base && c.available() && news[id] == nil && b.selected(c, base, side):
			lost, from = append(lost, &c.line), append(from, c)
		case c.line.Side == side && c.hasFunction() && olds[id] == nil && b.selected(c, side, base):
			born, to = append(born, &c.line), append(to, c)
		}
	}
	for i, j := range PairRenamed(lost, born) {
		if j >= 0 {
			out = append(out, [2]*caseData{from[i], to[j]})
		}
	}
	return out
}

// hasFunction reports whether the case is a benchmark's, also if that failed, and does not stand for a whole test
// binary that did.
func (c *caseData) hasFunction() bool {
	return c.available() || c.lastFail != nil && c.line.Name != "TestMain" && c.line.Name != "(test binary)"
}

// pairName returns the name of a comparison of two cases, and what was renamed; nil if the names are the same.
func pairName(old, new *caseData) (string, *Renamed) {
	if old.line.Name == new.line.Name {
		return old.line.Name, nil
	}
	return old.line.Name + " → " + new.line.Name, &Renamed{old.line.Name, new.line.Name}
}
