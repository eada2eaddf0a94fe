package profile

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/stat"
)

// Difference is two profiles of one kind beside each other, function by function.
type Difference struct {
	Old, New  *View
	Names     [2]string // of the sides
	Functions []Change  // those that exceed the noise first, each group by the size of the difference

	Confidence float64 // of the intervals; 1-Confidence is the false discovery rate
	Sampled    bool    // both were sampled; false: calls were counted
}

// Change is a function in two profiles.
type Change struct {
	Name, File  string
	Self, Total ShareChange
}

// ShareChange is the share of a function, or of a place in the tree of calls, in two profiles: 0 to 1.
type ShareChange struct {
	Old, New             float64
	stat.ShareDifference         // Lo, Hi and P are of the noise of sampling alone
	Adjusted             float64 // P, corrected for how many were compared (Benjamini–Hochberg)
}

// NewDifference compares two views, of which the second is the new one, at a confidence; 0 is [stat.DefaultConfidence]. It
// fails if they are not of the same kind.
func NewDifference(before, after *View, names [2]string, confidence float64) (*Difference, error) {
	d := &Difference{Old: before, New: after, Names: names, Confidence: cmp.Or(confidence, stat.DefaultConfidence), Sampled: before.how != nil && after.how != nil}
	switch {
	case before.Type != after.Type || before.Unit != after.Unit:
		return nil, fmt.Errorf("profile: %s is of %s, and %s of %s: their shares cannot be compared", names[0], before.Type, names[1], after.Type)
	case before.Shown == 0 || after.Shown == 0:
		empty := names[0]
		if before.Shown > 0 {
			empty = names[1]
		}
		return nil, fmt.Errorf("profile: %s has no samples to compare", empty)
	case before.excludeBlocked != after.excludeBlocked && (before.excludeBlocked || before.Blocked > 0) && (after.excludeBlocked || after.Blocked > 0):
		return nil, errors.New("profile: goroutines ran on one side only; --blocked compares all of the time")
	}
	d.compareFunctions()
	return d, nil
}

// compareFunctions compares every function that either side has.
func (d *Difference) compareFunctions() {
	at := map[string]*Change{}
	for i, v := range []*View{d.Old, d.New} {
		for _, f := range v.rows() {
			if f.Total == 0 {
				continue
			}
			c := at[f.Name]
			if c == nil {
				c = &Change{Name: f.Name}
				at[f.Name] = c
			}
			c.File = cmp.Or(v.files[f.Name], c.File)
			if i == 0 {
				c.Self.Old, c.Total.Old = v.shareShown(f.Self), v.shareShown(f.Total)
			} else {
				c.Self.New, c.Total.New = v.shareShown(f.Self), v.shareShown(f.Total)
			}
		}
	}
	errs := [2]map[string]Function{d.Old.byName(), d.New.byName()}
	var selves, totals []*ShareChange
	for name, c := range at {
		before, after := errs[0][name], errs[1][name]
		d.compare(&c.Self, before.SelfError, after.SelfError)
		d.compare(&c.Total, before.TotalError, after.TotalError)
		if c.Self.Old+c.Self.New > 0 {
			selves = append(selves, &c.Self)
		}
		totals = append(totals, &c.Total)
	}
	adjust(selves)
	adjust(totals)
	for _, c := range at {
		d.Functions = append(d.Functions, *c)
	}
	slices.SortFunc(d.Functions, func(a, b Change) int { return d.order(a, b) })
}

// order sorts differences that exceed the noise first, then by size.
func (d *Difference) order(a, b Change) int {
	x, y := a.Self, b.Self
	xs, ys := a.Total, b.Total
	if d.New.cfg.Sort == textpage.SortTotal {
		x, y, xs, ys = xs, ys, x, y
	}
	size := func(c ShareChange) float64 { return math.Abs(c.Value) }
	return cmp.Or(d.rank(x)-d.rank(y), cmp.Compare(size(y), size(x)), cmp.Compare(size(ys), size(xs)), cmp.Compare(a.Name, b.Name))
}

func (d *Difference) rank(c ShareChange) int {
	if d.Exceeds(c) {
		return 0
	}
	return 1
}

// byName returns the rows of the function table by name.
func (v *View) byName() map[string]Function {
	out := map[string]Function{}
	for _, f := range v.rows() {
		out[f.Name] = f
	}
	return out
}

// compare fills in the difference, given the standard errors of the shares.
func (d *Difference) compare(c *ShareChange, oldErr, newErr float64) {
	c.ShareDifference = stat.CompareShares(d.Old.evidenceOf(c.Old, oldErr), d.New.evidenceOf(c.New, newErr), d.Confidence)
	c.Adjusted = c.P
}

// evidenceOf returns a share of what is shown, and how many independent samples it is worth: as many as would give its standard
// error err. If err is 0, it is the number of samples.
func (v *View) evidenceOf(share, err float64) stat.Share {
	s := stat.Share{Value: min(share, 1), Draws: math.Inf(1)}
	if v.how == nil {
		return s
	}
	s.Draws = v.draws
	if v.Shown < v.Total && v.inAll > 0 {
		s.Draws *= min(1, float64(v.Shown)/v.inAll)
	}
	if err > 0 && share > 0 && share < 1 {
		s.Draws = share * (1 - share) / (err * err)
	}
	return s
}

// adjust corrects p-values for the number of shares that are compared.
func adjust(list []*ShareChange) {
	ps := make([]float64, len(list))
	for i, c := range list {
		ps[i] = c.P
	}
	for i, p := range stat.BenjaminiHochberg(ps) {
		list[i].Adjusted = p
	}
}

// Exceeds reports whether a difference is larger than the noise of sampling explains. Counted calls have no such noise: of them
// every difference other than 0 exceeds it.
func (d *Difference) Exceeds(c ShareChange) bool {
	if !d.Sampled {
		return c.Value != 0
	}
	return c.Confidence > 0 && c.Adjusted <= 1-c.Confidence
}

// Verdict returns "more", "less" or "within noise". For counted calls it returns "", because how much runs differ is not known.
func (d *Difference) Verdict(c ShareChange) string {
	switch {
	case !d.Sampled:
		return ""
	case !d.Exceeds(c):
		return "within noise"
	case c.Value > 0:
		return "more"
	}
	return "less"
}

// Warnings returns the warnings of both sides, each with the name of its side.
func (d *Difference) Warnings() (out []result.Warning) {
	for i, v := range []*View{d.Old, d.New} {
		for _, w := range v.warnings {
			w.Text = d.Names[i] + ": " + w.Text
			out = append(out, w)
		}
	}
	return out
}
