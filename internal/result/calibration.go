package result

import (
	"fmt"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
)

// notedLoss is the share of a calibration's time from which on others having the processors explains its N.
const notedLoss = 0.05

// maxShort is the share of its target below which an iteration is far too short.
const maxShort = 0.5

// explained reports whether an iteration that measures ns, which is share of the time that it took alone, spends more
// outside of its timer than the calibration found to be usual: then the benchmark stops its timer, or sets up at
// length. Records without a calibration say nothing against it.
func (c *caseData) explained(share, ns float64) bool {
	k := c.line.Calibration
	return k == nil || k.Limit <= 0 || share <= 0 || ns/share-ns > float64(k.Limit)
}

// isFirstRole reports whether a role is that of the whole benchmark, or the first of several: all have the same N.
func (c *caseData) isFirstRole(role string) bool {
	roles := c.roles()
	return len(roles) == 0 || roles[0] == role
}

// lostChoosing returns what others took of the time in which N was chosen, "" if that was little.
func (c *caseData) lostChoosing() string {
	if k := c.line.Calibration; k != nil && k.Lost >= notedLoss {
		return units.Percent(k.Lost)
	}
	return ""
}

// offTarget returns a warning if iterations are far shorter than they were to be, and neither the benchmark nor a
// single operation that takes that long explains it: what the machine did during the calibration was taken for
// operations. A stopped timer explains it only if others left the calibration alone: N is chosen by all that an
// iteration takes, so that it is right for a benchmark that stops its timer, too.
func (c *caseData) offTarget(role string) *derivedWarning {
	k := c.line.Calibration
	share, ns := c.timer(role)
	if k == nil || !c.isFirstRole(role) || ns <= 0 || share > 0 && share < MinShare && c.lostChoosing() == "" && !c.disturbed() && c.explained(share, ns) {
		return nil
	}
	target := time.Duration(k.Target)
	if c.line.Time > 0 {
		target = c.line.Time
	}
	own := ns
	if share > 0 {
		own = max(ns, ns/share-float64(k.Fixed)*2)
	}
	if own >= maxShort*float64(target) || c.longerElsewhere(role, maxShort*float64(target)) {
		return nil
	}
	form, choosing, lost := "", c.lostChoosing(), ""
	switch {
	case choosing != "":
	case c.disturbed():
		lost = units.Percent(max(c.lost.median, c.lost.runDelay))
	default:
		form = "unexplained"
	}
	return &derivedWarning{Warn: *diagnosis.WarnForm(diagnosis.CalibrationOff, form, diagnosis.Facts{
		"lostChoosing": choosing, "lost": lost, "took": units.Span(own), "target": units.Time(int64(target)),
	}), figure: units.Span(own), severity: -own / float64(target)}
}

// sharingN returns the cases of the same benchmark on other sides that have the same N. It was chosen for one of them.
func (b *Builder) sharingN(c *caseData) []*caseData {
	if b.indexed != len(b.cases) {
		b.byIdentity, b.indexed = map[identity][]*caseData{}, len(b.cases)
		for _, x := range b.cases {
			b.byIdentity[x.identity()] = append(b.byIdentity[x.identity()], x)
		}
	}
	var out []*caseData
	for _, x := range b.byIdentity[c.identity()] {
		if x.line.Side != c.line.Side && x.line.N == c.line.N && c.line.N > 0 {
			out = append(out, x)
		}
	}
	return out
}

// longerElsewhere reports whether an iteration measures ns or more on another side. The number of operations is
// common to all sides, so that iterations of a much faster one are short. That is no fault.
func (c *caseData) longerElsewhere(role string, ns float64) bool {
	return slices.ContainsFunc(c.sharing, func(x *caseData) bool {
		_, theirs := x.timer(role)
		return theirs >= ns
	})
}

// otherN returns a note if N was replaced during the run, or nil.
func (c *caseData) otherN(role string) *derivedWarning {
	r := c.replaced
	if r == nil || !c.isFirstRole(role) {
		return nil
	}
	before := ""
	if r.Forks > 0 {
		before = units.Plural(r.Forks, "fork")
	}
	return &derivedWarning{Warn: *diagnosis.Warn(diagnosis.NReplaced, diagnosis.Facts{"from": r.From, "to": r.To, "round": r.Round, "why": r.Why, "forks": before}), figure: fmt.Sprintf("%d → %d", r.From, r.To), severity: float64(r.Forks)}
}
