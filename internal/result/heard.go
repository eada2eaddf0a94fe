package result

import (
	"fmt"

	"github.com/tarebench/tare/record"
)

// forkDoubt is a doubt that forks of a case have about themselves: what their
// pipes or profilers said.
type forkDoubt struct {
	first   record.Warn // others of its code have texts of their own
	forks   int
	purpose string // of the forks
}

// hear takes the doubts about a fork that counts, one of each code.
func (c *caseData) hear(doubts []record.Warn, purpose string) {
	seen := map[string]bool{}
	for _, w := range doubts {
		if seen[w.Code] {
			continue
		}
		seen[w.Code] = true
		i := 0
		for i < len(c.heard) && (c.heard[i].first.Code != w.Code || c.heard[i].purpose != purpose) {
			i++
		}
		if i == len(c.heard) {
			c.heard = append(c.heard, forkDoubt{first: w, purpose: purpose})
		}
		c.heard[i].forks++
	}
}

// said are the forks' doubts as doubts about their case.
func (c *caseData) said() []doubt {
	var out []doubt
	for _, d := range c.heard {
		out = append(out, doubt{Warn: record.Warn{
			About: record.AboutCase, ID: c.line.ID, Code: d.first.Code,
			Text:   fmt.Sprintf("%d of %d forks: %s", d.forks, c.forksFor(d.purpose), d.first.Text),
			Advice: d.first.Advice,
		}})
	}
	return out
}

// CodeProfiler says that forks of a profiler failed, so that its figures are missing or rest
// on the others.
const CodeProfiler = "profiler-failed"

// profilersFailed are the doubts about forks of profilers, one for each profiler.
func (c *caseData) profilersFailed() []doubt {
	var out []doubt
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
		out = append(out, doubt{Warn: record.Warn{
			About: record.AboutCase, ID: c.line.ID, Code: CodeProfiler,
			Text:   fmt.Sprintf("%s: %d of %d of its forks failed: %s", f.Purpose, n, n+c.forksFor(f.Purpose), why(f)),
			Advice: "its figures, if any, cover the forks that passed",
		}})
	}
	return out
}

// forksFor counts the forks of a purpose.
func (c *caseData) forksFor(purpose string) int {
	n := 0
	for _, forks := range [][]forkData{c.forks, c.profiled} {
		for i := range forks {
			if forks[i].line.Purpose == purpose {
				n++
			}
		}
	}
	return n
}
