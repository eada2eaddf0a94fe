package whytext

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/internal/show/textpage"
)

// Headline returns the verdict in words, and the values of both sides.
func (r *Row) Headline() (verdict, values string) {
	x := float64(r.Ratio)
	n := units.Digits(x, 3)
	verdict = fmt.Sprintf("%s × (%s%s%s) %s", n.Text(x), n.Text(float64(r.Lo)), units.Dots, n.Text(float64(r.Hi)), r.Verdict)
	if !r.Trusted {
		verdict += " (?)"
	}
	return verdict, fmt.Sprintf("%s %s, %s %s", r.Base, units.Value(r.Unit, float64(r.Old), 3), r.Side, units.Value(r.Unit, float64(r.New), 3))
}

// far is from where on a reader who divides the values sees another ratio.
const far = 0.05

// Remarks returns what has to be known of the verdict: why its ratio is not that of the values, and why it is not trusted.
func (r *Row) Remarks() (out []string) {
	if q := float64(r.New) / float64(r.Old) / float64(r.Ratio); math.Abs(q-1) > far {
		if text := textpage.RatioOf(r.Comparison); text != "" {
			out = append(out, text)
		}
	}
	for _, text := range r.distrust {
		if !slices.ContainsFunc(r.Answer.Notes, func(n string) bool { return strings.Contains(n, text) }) {
			out = append(out, "(?) not trusted: "+text)
		}
	}
	if !r.Trusted && len(r.distrust) == 0 {
		out = append(out, "(?) the verdict is not trusted")
	}
	return out
}

// Shares says what the shares are of; "" if there are none.
func (r *Row) Shares() string {
	switch r.Answer.Basis {
	case why.OfTime:
		return "shares of the difference in time"
	case why.OfInstructions:
		return "shares of the added instructions, not of time"
	}
	return ""
}

// Explains returns how much a cause explains.
func Explains(c *why.Cause) string {
	share := shown(c.Share)
	if c.Joint {
		share += " together with the others of its group"
	}
	if c.Kind == why.CauseWait && math.IsNaN(c.Share.Value) {
		share += ": goroutines wait side by side"
	}
	return share
}

// Sure says what a cause rests on; "" if its evidence does.
func Sure(c *why.Cause) string {
	switch {
	case c.Where:
		return "where the time is spent; no count says why"
	case c.Exact && c.Kind != why.CauseSettings:
		return "counts are exact"
	}
	return ""
}

// Rest returns what no cause explains; "" if nothing was divided.
func (r *Row) Rest() string {
	if r.Answer.Basis == why.OfNothing {
		return ""
	}
	return shown(r.Answer.Rest)
}

// None says that nothing was found, if that is so.
func (r *Row) None() string {
	if r.Answer.Basis == why.OfNothing && len(r.Answer.Causes) == 0 && len(r.Answer.Notes) == 0 {
		return "No cause was found."
	}
	return ""
}

// Lacking says which profilers were not used.
func (r *Row) Lacking() string {
	if len(r.Missing) == 0 {
		return ""
	}
	text := "not measured: --prof " + strings.Join(r.Missing, ",")
	for _, why := range r.unavailable {
		if name, _, _ := strings.Cut(why, ":"); slices.Contains(r.Missing, name) {
			text += " (" + why + ")"
		}
	}
	return text
}

// shown writes a share with its interval.
func shown(s why.Share) string {
	switch {
	case math.IsNaN(s.Value), math.IsInf(s.Value, 0):
		return "an unknown share"
	case s.Lo == s.Hi || math.IsInf(s.Hi, 0) || math.IsInf(s.Lo, 0):
		return units.PercentTo(s.Value, 0)
	}
	return fmt.Sprintf("%s (%s%s%s)", units.PercentTo(s.Value, 0), units.Fixed(100*s.Lo, 0), units.Dots, units.Fixed(100*s.Hi, 0))
}

// Places writes where a cause is: on both sides, if that differs.
func Places(p [2]why.Place) string {
	at := func(x why.Place) string {
		if x.File == "" || x.Line == 0 {
			return ""
		}
		return fmt.Sprintf("%s:%d", path.Base(x.File), x.Line)
	}
	old, new := at(p[0]), at(p[1])
	switch {
	case old == "" || old == new:
		return new
	case new == "":
		return old
	}
	return old + " → " + new
}
