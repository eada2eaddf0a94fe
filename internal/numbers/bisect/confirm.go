package bisect

import (
	"math"
	"slices"

	"github.com/tarebench/tare/stat"
)

// Defaults of ConfirmOptions.
const (
	DefaultAlpha     = 0.05
	DefaultThreshold = 0.02
	DefaultLeast     = 0.01
)

// ConfirmOptions are the options of a Confirm. The zero value has all defaults.
type ConfirmOptions struct {
	Alpha     float64 // chance of one false confirmation among all suspects; 0 means [DefaultAlpha]
	Suspects  int     // that are confirmed together and share Alpha; 0 means 1
	Threshold float64 // a change that is surely smaller is refuted; 0 means [DefaultThreshold]
	Least     float64 // a change whose estimate is smaller is not confirmed; 0 means [DefaultLeast], or Threshold if that is less
	Analyses  []int   // forks of each side at which to decide, ascending; nil means [Analyses]
	Exact     bool    // forks of one binary hardly differ: two of each side decide, and any change is one
}

// Analyses returns the default numbers of forks of each side at which a Confirm decides: 20, 40, 80, 160, 320.
func Analyses() []int { return []int{20, 40, 80, 160, 320} }

// Confirmation is what a Confirm knows.
type Confirmation struct {
	State         ConfirmState
	Ratio, Lo, Hi float64 // of the second side over the first, with the 95 % interval
	P             float64 // of the U test at the last analysis
	Forks         int     // of both sides
}

// ConfirmState is how far a Confirm has come.
type ConfirmState string

// The states of a Confirm.
const (
	Open      ConfirmState = ""          // more forks are needed
	Confirmed ConfirmState = "confirmed" // the sides differ
	Refuted   ConfirmState = "refuted"   // the interval of their ratio lies within the threshold
	Unclear   ConfirmState = "undecided" // neither at the last analysis
)

// Confirm decides whether two sides differ, by interim analyses that share Alpha (Bonferroni). Each analysis confirms by a
// U test whose p is at most Alpha / Suspects / len(Analyses), and refutes by the 95 % interval.
type Confirm struct {
	o      ConfirmOptions
	sides  [2][]float64
	passed int // analyses
	now    Confirmation
}

// NewConfirm returns a comparison without forks.
func NewConfirm(o ConfirmOptions) *Confirm {
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	if o.Threshold == 0 {
		o.Threshold = DefaultThreshold
	}
	if o.Least == 0 {
		o.Least = min(DefaultLeast, o.Threshold)
	}
	o.Suspects = max(1, o.Suspects)
	switch {
	case o.Exact:
		o.Analyses = []int{exactForks}
	case o.Analyses == nil:
		o.Analyses = Analyses()
	}
	return &Confirm{o: o, now: Confirmation{Ratio: 1, Lo: 0, Hi: math.Inf(1), P: 1}}
}

// Next returns how many forks of each side are missing for the next analysis: 0 once it is decided.
func (c *Confirm) Next() int {
	if c.now.State != Open {
		return 0
	}
	return max(1, c.o.Analyses[c.passed]-c.least())
}

func (c *Confirm) least() int { return min(len(c.sides[0]), len(c.sides[1])) }

// Add tells the value of a fork of side 0 or 1, and decides if an analysis is due. Values after the decision are
// ignored.
func (c *Confirm) Add(side int, value float64) {
	if c.now.State != Open {
		return
	}
	c.sides[side] = append(c.sides[side], value)
	if c.least() >= c.o.Analyses[c.passed] {
		c.analyse()
	}
}

// Result returns what is known. Without a decision the state is Open, and the ratio that of the last analysis.
func (c *Confirm) Result() Confirmation {
	r := c.now
	r.Forks = len(c.sides[0]) + len(c.sides[1])
	return r
}

func (c *Confirm) analyse() {
	c.passed++
	old, new := slices.Clone(c.sides[0]), slices.Clone(c.sides[1])
	if c.o.Exact {
		c.analyseExact(old, new)
		return
	}
	e := stat.HodgesLehmann(old, new, resultConfidence)
	c.now.Ratio, c.now.Lo, c.now.Hi, c.now.P = e.Value, e.Lo, e.Hi, stat.MannWhitney(old, new).P
	within := func(ratio, share float64) bool { return ratio < 1+share && ratio > 1/(1+share) }
	alpha := c.o.Alpha / float64(c.o.Suspects*len(c.o.Analyses))
	switch {
	case c.now.P <= alpha && !within(e.Value, c.o.Least):
		c.now.State = Confirmed
	case within(e.Lo, c.o.Threshold) && within(e.Hi, c.o.Threshold):
		c.now.State = Refuted
	case c.passed == len(c.o.Analyses):
		c.now.State = Unclear
	}
}

func (c *Confirm) analyseExact(old, new []float64) {
	e := exactRatio(old, new)
	c.now.Ratio, c.now.Lo, c.now.Hi, c.now.State = e.Value, e.Lo, e.Hi, Refuted
	if e.Value != 1 {
		c.now.State, c.now.P = Confirmed, 0
	}
}
