package benchrun

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// leaveOut leaves benchmarks out of the run that the budget does not hold, and names them.
func (c *Calibrated) leaveOut() {
	p := c.Plan
	enough := p.EnoughForRound()
	out := p.LeaveOut()
	if len(out) == 0 {
		return
	}
	w := diagnosis.Warn(diagnosis.LeftOut, diagnosis.Facts{"budget": p.Config.Budget, "benchmarks": strings.Join(namesOf(out), ", "), "enough": seconds(enough)})
	c.warnings = append(c.warnings, w)
	c.Progress.Note("%s; %s", w.Text, w.Advice)
}

// namesOf names benchmarks once for all sides, and sub-benchmarks by their function.
func namesOf(cases []*record.Case) []string {
	var names []string
	members := map[function]map[string]bool{}
	var functions []function
	for _, x := range cases {
		f := functionOf(x)
		if members[f] == nil {
			functions, members[f] = append(functions, f), map[string]bool{}
		}
		members[f][x.Name] = true
	}
	for _, f := range functions {
		name := f.name
		if n := len(members[f]); n > 1 {
			name = fmt.Sprintf("%s (%d sub-benchmarks)", f.name, n)
		}
		if !slices.Contains(names, name) { // at another GOMAXPROCS
			names = append(names, name)
		}
	}
	return names
}

// warnGuessed tells of which cases N is left to package testing, because the budget was spent before it was found.
func (c *Calibrated) warnGuessed() {
	n := 0
	for _, x := range c.Plan.Cases {
		if !c.Plan.IsGuessed(x) || x.Group != "" {
			continue
		}
		n++
		c.warnings = append(c.warnings, ofCase(x, diagnosis.Warn(diagnosis.Uncalibrated, nil)))
	}
	if n > 0 {
		c.Progress.Note("%d of %s: --budget %s is spent before N is found; package testing chooses it in each fork", n, units.Plural(len(c.Plan.Cases), "row"), c.Plan.Config.Budget)
	}
}
