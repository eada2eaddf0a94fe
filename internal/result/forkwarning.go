package result

import (
	"fmt"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// forkWarning is a warning that the pipes or profilers of forks wrote about them.
type forkWarning struct {
	first   record.Warn // the first one; others of its code may have other figures
	forks   int         // that have it
	purpose string      // of the forks
}

// addForkWarnings takes the warnings about a fork that counts, one of each code.
func (c *caseData) addForkWarnings(warnings []record.Warn, purpose string) {
	seen := map[string]bool{}
	for _, w := range warnings {
		if seen[w.Code] {
			continue
		}
		seen[w.Code] = true
		i := 0
		for i < len(c.warnings) && (c.warnings[i].first.Code != w.Code || c.warnings[i].purpose != purpose) {
			i++
		}
		if i == len(c.warnings) {
			c.warnings = append(c.warnings, forkWarning{first: w, purpose: purpose})
		}
		c.warnings[i].forks++
	}
}

// aboutForks returns the warnings about forks as warnings about their case.
func (c *caseData) aboutForks() []derivedWarning {
	var out []derivedWarning
	for _, d := range c.warnings {
		w := diagnosis.Prefix(&d.first, fmt.Sprintf("%d of %d forks", d.forks, c.forksFor(d.purpose)))
		w.About, w.ID = record.AboutCase, c.line.ID
		out = append(out, derivedWarning{Warn: *w})
	}
	return out
}

// profilersFailed returns a warning for each profiler of which forks failed.
func (c *caseData) profilersFailed() []derivedWarning {
	var out []derivedWarning
	failed := map[string]int{}
	for _, f := range c.profileFailed {
		failed[f.Purpose]++
	}
	for _, f := range c.profileFailed { // the first of each speaks for them
		n := failed[f.Purpose]
		if n == 0 {
			continue
		}
		failed[f.Purpose] = 0
		out = append(out, derivedWarning{Warn: *diagnosis.Warn(diagnosis.ProfilerFailed, diagnosis.Facts{"profiler": f.Purpose, "failed": n, "forks": n + c.forksFor(f.Purpose), "why": why(f)})})
	}
	return out
}

// forksFor counts the forks of a purpose.
func (c *caseData) forksFor(purpose string) int {
	n := 0
	for _, forks := range [][]forkData{c.timed, c.profiled} {
		for i := range forks {
			if forks[i].line.Purpose == purpose {
				n++
			}
		}
	}
	return n
}
