// Package conditions says what else was busy while a run was measured, by its own record, and which runs were made under
// like conditions. What is known of how much such runs differ says nothing about others.
package conditions

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
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
	Loss  float64 `json:"loss"`            // median over forks of the share of time in which a fork waited for a processor
	L3    float64 `json:"l3,omitempty"`    // reference loop l3, ns per step, median of the passes; 0: not known
	Chain float64 `json:"chain,omitempty"` // reference loop chain, ns per step, lower quartile: the processor's speed without the load of others; 0: not known

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

// Passes are the passes over the reference loops of a record. The zero value has none.
type Passes struct{ l3s, chains []float64 }

// Add adds a pass.
func (p *Passes) Add(r *record.Reference) {
	for _, x := range r.Loops {
		switch x.Name {
		case "l3":
			p.l3s = append(p.l3s, x.Min)
		case "chain":
			p.chains = append(p.chains, x.Min)
		}
	}
}

// Conditions returns those of a run whose forks lost these shares of their time; NaN is not known.
func (p *Passes) Conditions(losses []float64) Conditions {
	losses = slices.DeleteFunc(slices.Clone(losses), math.IsNaN)
	c := Conditions{unknown: len(losses) == 0}
	if !c.unknown {
		c.Loss = stat.Median(losses)
	}
	if len(p.l3s) > 0 {
		c.L3 = stat.Median(p.l3s)
	}
	if len(p.chains) > 0 {
		c.Chain = stat.Quantile(p.chains, 0.25)
	}
	return c
}
