package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// verdicts says which command is faster, by how much, and for how much CPU time.
func (t *timesText) verdicts() {
	for i := range t.s.Comparisons {
		c := &t.s.Comparisons[i]
		if c.Unit != unitReal {
			continue
		}
		fmt.Fprintf(&t.b, "%s\n\n", hang(outcome(c)+t.price(c)+toDecide(c)+distrust(c), t.width()))
	}
}

// outcome is the verdict on the real time, as a sentence without its end. Ratios
// are told as factors above 1, which is how people say them.
func outcome(c *result.Comparison) string {
	x, lo, hi := float64(c.Ratio), float64(c.Lo), float64(c.Hi)
	switch stat.Verdict(c.Verdict) {
	case stat.Faster:
		f := newFactor(1/x, 1/hi, 1/lo)
		return fmt.Sprintf("%s is %s × faster than %s%s", c.Side, f.text, c.Base, f.bounds)
	case stat.Slower:
		f := newFactor(x, lo, hi)
		return fmt.Sprintf("%s is %s × slower than %s%s", c.Side, f.text, c.Base, f.bounds)
	case stat.Equivalent:
		f := newFactor(x, lo, hi)
		return fmt.Sprintf("%s takes as long as %s: %s ×%s", c.Side, c.Base, f.text, f.bounds)
	}
	f := newFactor(x, lo, hi)
	return fmt.Sprintf("undecided: %s takes %s × the time of %s%s", c.Side, f.text, c.Base, f.bounds)
}

// toDecide is how many more runs an undecided comparison takes, "" if it is decided.
func toDecide(c *result.Comparison) string {
	more := c.ForksNeeded - min(c.OldN, c.NewN)
	if stat.Verdict(c.Verdict) != stat.Undecided || more < 1 {
		return ""
	}
	if more > 20 { // an estimate, and no good one
		more = (more + 9) / 10 * 10
	}
	runs := "runs"
	if more == 1 {
		runs = "run"
	}
	return fmt.Sprintf("; ~%d more %s would decide", more, runs)
}

// price is what the CPU time comes to.
func (t *timesText) price(real *result.Comparison) string {
	for i := range t.s.Comparisons {
		c := &t.s.Comparisons[i]
		if c.Unit == unitCPU && c.Side == real.Side && c.Base == real.Base && !math.IsNaN(float64(c.Ratio)) {
			f := newFactor(float64(c.Ratio), float64(c.Lo), float64(c.Hi))
			return fmt.Sprintf(", for %s × the CPU%s", f.text, f.bounds)
		}
	}
	return ""
}

func distrust(c *result.Comparison) string {
	if c.Trusted {
		return ""
	}
	return "; not trusted (?): " + strings.Join(c.Reasons, ", ")
}

// factor is a ratio with its interval in words.
type factor struct{ text, bounds string }

// newFactor writes three digits, and near 1, where they would not show a change, a
// fourth. An interval without ends is left out.
func newFactor(x, lo, hi float64) factor {
	places := 2
	switch {
	case x >= 99.95:
		places = 0
	case x >= 9.995:
		places = 1
	case x >= 0.9 && x < 1.1:
		places = 3
	}
	write := func(x float64) string { return strconv.FormatFloat(x, 'f', places, 64) }
	f := factor{text: write(x)}
	if !math.IsNaN(lo) && !math.IsInf(hi, 0) && lo > 0 {
		f.bounds = fmt.Sprintf(" (%s … %s)", write(lo), write(hi))
	}
	return f
}
