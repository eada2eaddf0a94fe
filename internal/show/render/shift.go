package render

import (
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
)

// shiftNotes returns what moved where not everything has moved alike: "typical iterations changed by +6.0 %, undisturbed
// ones are unchanged within ± 1.0 %; GC cycles changed by +110 %".
func shiftNotes(c *result.Comparison) []result.Warning {
	if c.Undisturbed == nil || c.Typical == nil {
		return nil
	}
	u, t := c.Undisturbed, c.Typical
	var others []string
	for i := range c.Also {
		others = append(others, c.Also[i].Quantity+" "+change(&c.Also[i]))
	}
	also := strings.Join(others, ", ")
	var text string
	switch outside := float64(t.Ratio) < float64(u.Lo) || float64(t.Ratio) > float64(u.Hi); {
	case opposite(c):
		text = "undisturbed iterations " + change(u) + ", but typical ones " + by(t) + ": no verdict covers both"
	case t.Moved() && !u.Moved():
		text = "typical iterations " + change(t) + ", undisturbed ones " + unmoved(u)
		if slices.Contains(c.Unseen, result.QuantityCollection) {
			text += ", as by garbage collection (--deep counts it)"
		}
	case t.Moved() && outside && (float64(u.Ratio) < float64(t.Lo) || float64(u.Ratio) > float64(t.Hi)):
		text = "undisturbed iterations " + change(u) + ", typical ones " + by(t)
	}
	switch {
	case text != "" && also != "":
		text += "; " + also
	case also != "":
		text = also + " (no verdict depends on it)"
	}
	if text == "" {
		return nil
	}
	return []result.Warning{{Text: text}}
}

// opposite reports whether undisturbed and typical speed have moved in opposite directions.
func opposite(c *result.Comparison) bool {
	u, t := c.Undisturbed, c.Typical
	return u != nil && t != nil && u.Moved() && t.Moved() && (u.Lo > 1) != (t.Lo > 1)
}

// change writes how much a quantity has moved: "changed by +6.0 %".
func change(s *result.Shift) string {
	x := float64(s.Ratio) - 1
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return "rose from zero"
	}
	if x < 0 {
		return "changed by -" + units.Percent(-x)
	}
	return "changed by +" + units.Percent(x)
}

// by is change where the verb has been said.
func by(s *result.Shift) string { return strings.TrimPrefix(change(s), "changed ") }

// unmoved writes that a quantity has not moved, and how far it may have.
func unmoved(s *result.Shift) string {
	bound := math.Max(float64(s.Hi), 1/float64(s.Lo)) - 1
	if math.IsInf(bound, 0) || math.IsNaN(bound) {
		return "may have changed by any amount"
	}
	return "are unchanged within ± " + units.Percent(bound)
}
