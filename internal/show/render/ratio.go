package render

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
)

// ratio is one comparison as a row: both values in one unit, the ratio, what is
// known of it, and the verdict.
type ratio struct {
	c        *result.Comparison // nil for a geometric mean
	unit     string             // its name
	old, new string
	long     string // unit of the values; short: beside unit
	short    string
	ratio    string
	intervalText
	word  string // the verdict, with the mark of distrust
	why   []string
	style termtext.Style
	notes []result.Warning
}

// ratio returns a comparison as text: scaled to a unit and rounded, with its verdict.
func (p *view) ratio(c *result.Comparison, threshold float64) ratio {
	r := ratio{c: c, unit: p.Text(unitName(c.Unit)), word: p.Name(verdictWord(c.Verdict)), style: verdictStyle(c.Verdict)}
	r.values()
	r.long, r.short = p.Middle(p.Text(r.long), maxUnit), p.Middle(p.Text(r.short), maxUnit)
	if c.Verdict == identical {
		return r
	}
	r.bounds()
	if c.Verdict == undecided {
		r.why = whyUndecided(c, threshold)
	}
	if !c.Trusted {
		r.word, r.style = r.word+" "+distrusted, termtext.Yellow
	}
	r.notes = append(slices.Clone(c.Warnings), shiftNotes(c)...)
	if c.Verdict == undecided && (c.Lo > 1 || c.Hi < 1) && !opposite(c) {
		r.notes = append(r.notes, contradiction(c))
	}
	return r
}

// contradiction returns why a row is undecided though its interval excludes 1.
func contradiction(c *result.Comparison) result.Warning {
	if c.AdjustedP > c.P {
		return result.Warning{Text: "the interval excludes 1, but p, corrected for the number of rows, is not significant: in many rows some differ by chance"}
	}
	return result.Warning{Text: "the interval excludes 1, but p is not significant: many values are equal, and the interval and the test treat ties differently"}
}

// verdictWord returns what a text says for a verdict of package stat.
func verdictWord(verdict string) string {
	if verdict == undecided {
		return "inconclusive"
	}
	return verdict
}

func verdictStyle(verdict string) termtext.Style {
	switch verdict {
	case faster:
		return termtext.Green
	case slower:
		return termtext.Red
	case undecided:
		return termtext.Dim
	}
	return termtext.Normal
}

// values writes both values in one unit, so that they can be compared by eye,
// with the digits that the interval of the ratio supports.
func (r *ratio) values() {
	c := r.c
	old, new := float64(c.Old), float64(c.New)
	s := units.ScaleOf(c.Unit, commonSize(c.Unit, old, new))
	half := float64(c.Hi-c.Lo) / 2 / float64(c.Ratio)
	if c.Lo == c.Hi && c.Verdict != identical {
		half = 0 // of an infinite ratio too
	} else if c.Verdict == identical {
		half = math.NaN()
	}
	a, b := places(old/s.Div, half, s.Div != 1), places(new/s.Div, half, s.Div != 1)
	if d := a.Places - b.Places; d == 1 || d == -1 {
		a.Places = min(a.Places, b.Places)
		b.Places = a.Places
	}
	r.old, r.new = a.Text(old/s.Div), b.Text(new/s.Div)
	for range units.MostFigures { // a change that no digit shows would puzzle
		if r.old != r.new || !claimed(c) {
			break
		}
		a.Places, b.Places = a.Places+1, b.Places+1
		r.old, r.new = a.Text(old/s.Div), b.Text(new/s.Div)
	}
	r.long, r.short = s.Versus(), beside(c.Unit, s)
}

// commonSize returns the value that chooses the unit of both: the smaller, so that it
// keeps its digits, unless the larger would have too many.
func commonSize(unit string, old, new float64) float64 {
	const tooMany = 10_000_000
	small, large := math.Abs(old), math.Abs(new)
	if small > large {
		small, large = large, small
	}
	if small == 0 || large/units.ScaleOf(unit, small).Div >= tooMany {
		return large
	}
	return small
}

// places returns the rounding of a value of which half is the relative half-width of
// an interval.
func places(v, half float64, scaled bool) units.Rounding {
	return units.Round(v, v-math.Abs(v)*half, v+math.Abs(v)*half, scaled)
}

// bounds writes the ratio and its interval.
func (r *ratio) bounds() {
	c := r.c
	x, lo, hi := float64(c.Ratio), float64(c.Lo), float64(c.Hi)
	n := ratioRounding(x, lo, hi, claimed(c))
	r.ratio = multiple(x, n)
	switch exact := c.Verdict == more || c.Verdict == less || c.Verdict == unchanged; {
	case exact && c.Lo == c.Hi:
		r.note = "exact"
	case math.IsInf(x, 1) && c.Old == 0:
		r.note = "from zero"
	case math.IsNaN(x):
		r.note, r.isWarning = "no ratio", true
	case lo == 0 && math.IsInf(hi, 1), math.IsNaN(lo), math.IsNaN(hi):
		r.note, r.isWarning = "too few "+cmp.Or(c.Sample, "fork")+"s", true
	default:
		r.lo, r.hi = multiple(lo, n), multiple(hi, n)
	}
}

// ratioRounding returns how a ratio is rounded: near 1 to three decimals, to fewer if the interval is wide, and to
// more if three would hide a change. Other ratios have at least three digits.
func ratioRounding(x, lo, hi float64, change bool) units.Rounding {
	const usual, most = 3, 6
	r := units.Round(x, lo, hi, true)
	m := units.Magnitude(x)
	r.Sci, r.Trim = m > 4 || m < -4, false
	switch {
	case m < -1:
		r.Places = min(usual-1-m, most)
	case lo == hi:
		r.Places = max(usual-max(m, 0)*2, 0)
	case m < 1:
		r.Places = min(max(r.Places, usual-1), usual)
	}
	least := math.Min(math.Abs(lo-1), math.Abs(hi-1)) * 2 // what has to be seen
	if lo < hi {
		least = math.Min(least, hi-lo)
	}
	for change && least > 0 && r.Places < most && least < math.Pow10(-r.Places) {
		r.Places++
	}
	return r
}

// multiple writes a ratio or a bound of it, which may be far from the ratio.
func multiple(x float64, r units.Rounding) string {
	r.Sci = r.Sci || math.Abs(x) >= 1e5
	return r.Text(x)
}

// claimed reports whether a verdict claims a change.
func claimed(c *result.Comparison) bool { return changed(c) && c.Verdict != undecided }

// whyUndecided returns what an undecided row knows, in phrases that are not to be
// torn: its bound, and how many more forks would decide it.
func whyUndecided(c *result.Comparison, threshold float64) []string {
	var out []string
	if b := float64(c.Bound); !math.IsNaN(b) && !math.IsInf(b, 0) {
		text := units.Percent(b)
		if text == units.Percent(threshold) { // but above it
			text = units.PercentTo(math.Ceil(b*1e4)/1e4, 2)
		}
		out = append(out, "the change may be up to ± "+text)
	}
	if more := c.MoreForks(threshold); more > 0 {
		n := roughly(more)
		out = append(out, "~"+units.Count(n)+" more "+units.Noun(n, cmp.Or(c.Sample, "fork")))
	}
	for i := range len(out) - 1 {
		out[i] += ";"
	}
	return out
}

// roughly rounds an estimate up to what can be believed of it.
func roughly(n int) int {
	step := 1
	switch {
	case n > 100:
		for step*100 < n {
			step *= 10
		}
	case n > 20:
		step = 5
	}
	return (n + step - 1) / step * step
}

// suspect reports whether the benchmark itself gives reason for distrust, not the
// whole run.
func (r *ratio) suspect() bool {
	return slices.ContainsFunc(r.c.Warnings, func(w result.Warning) bool { return slices.Contains(r.c.Reasons, w.Code) })
}

// geomean returns a geometric mean as a row.
func (p *view) geomean(g result.Geomean) ratio {
	c := result.Comparison{Ratio: g.Ratio, Lo: g.Lo, Hi: g.Hi}
	r := ratio{c: &c}
	r.bounds()
	r.c, r.unit = nil, p.Name(g.Unit)
	if r.note != "" {
		r.note, r.isWarning = "", false
	}
	return r
}

// verdict returns the whole verdict in phrases that are not to be torn, and its marks.
func (r *ratio) verdict(marks string) []string {
	out := []string{r.word}
	if len(r.why) > 0 {
		out = slices.Clone(r.why)
		out[0] = r.word + ": " + out[0]
	}
	if marks != "" {
		out[len(out)-1] += " " + marks
	}
	return out
}
