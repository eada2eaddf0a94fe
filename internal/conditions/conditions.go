// Package conditions says what else was busy while a run was measured, by its own record, and which runs were made under
// like conditions. What is known of how much such runs differ says nothing about others.
package conditions

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// What two runs may differ by to count as made under like conditions. The losses of calm runs may differ by likeLoss, those
// of busy ones by likeShare of the larger: there, runs differ by more in any case. With 10 points throughout, runs that lost
// less than 2 % were 10 times of 100 quicker than the interval of a run that lost 5 to 15 % allows, and hardly ever slower.
const (
	likeLoss  = 0.05
	likeShare = 1. / 3
	likeL3    = 1.5
)

// Conditions are those of one run.
type Conditions struct {
	Loss  float64 `json:"loss"`            // share of their time in which forks waited for a processor, median
	L3    float64 `json:"l3,omitempty"`    // reference loop l3, ns per step, median of the passes; 0: not known
	Chain float64 `json:"chain,omitempty"` // likewise chain, lower quartile: the processor's speed, without what others took

	unknown bool // Loss is
}

// Like reports whether two runs were made under like conditions, as far as both know theirs.
func (c Conditions) Like(o Conditions) bool { return c.likeLoss(o) && c.likeL3(o) }

func (c Conditions) likeLoss(o Conditions) bool {
	return c.unknown || o.unknown || math.Abs(c.Loss-o.Loss) <= max(likeLoss, likeShare*max(c.Loss, o.Loss))
}

func (c Conditions) likeL3(o Conditions) bool {
	return c.L3 <= 0 || o.L3 <= 0 || max(c.L3, o.L3) <= likeL3*min(c.L3, o.L3)
}

// Unlike says by what the conditions of c, the later run, differ from those of o: "its forks lost 31 % of their time to
// others, against 0.2 %". It is empty if they are alike.
func (c Conditions) Unlike(o Conditions) string {
	var parts []string
	if !c.likeLoss(o) {
		parts = append(parts, fmt.Sprintf("its forks lost %s of their time to others, against %s", units.Percent(c.Loss), units.Percent(o.Loss)))
	}
	if !c.likeL3(o) {
		parts = append(parts, fmt.Sprintf("loads from the last-level cache took %.3g ns, against %.3g ns", c.L3, o.L3))
	}
	return strings.Join(parts, ", and ")
}

// A Gatherer gathers conditions from the lines of a record. The zero value is ready.
type Gatherer struct {
	losses, l3s, chains []float64
}

// Add takes a fork or a pass over the reference loops. Other lines are ignored.
func (g *Gatherer) Add(line record.Line) {
	switch l := line.(type) {
	case *record.Fork:
		if l.Lost != nil && l.Purpose == record.PurposeTiming {
			g.losses = append(g.losses, *l.Lost)
		}
	case *record.Reference:
		for _, x := range l.Loops {
			switch x.Name {
			case "l3":
				g.l3s = append(g.l3s, x.Min)
			case "chain":
				g.chains = append(g.chains, x.Min)
			}
		}
	}
}

// Conditions returns those of the lines so far. What is not known is 0.
func (g *Gatherer) Conditions() Conditions {
	c := Conditions{unknown: len(g.losses) == 0}
	if !c.unknown {
		c.Loss = stat.Median(g.losses)
	}
	if len(g.l3s) > 0 {
		c.L3 = stat.Median(g.l3s)
	}
	if len(g.chains) > 0 {
		c.Chain = stat.Quantile(g.chains, 0.25)
	}
	return c
}
