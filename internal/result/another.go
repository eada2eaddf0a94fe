package result

import "math"

// Another says where the median of another run on the same machine may be. The interval of a benchmark is about
// the forks of its own run alone. See [record.AnotherRun].
type Another struct {
	Lo          Number  `json:"lo,omitempty"` // in the unit of the benchmark; 0: not known
	Hi          Number  `json:"hi,omitempty"`
	Half        float64 `json:"half,omitempty"` // difference of logarithms: Lo and Hi are the median over and times exp(Half)
	Confidence  float64 `json:"confidence,omitempty"`
	Runs        int     `json:"runs"`                  // earlier runs under like conditions, with at least 10 minutes between them
	Seen        int     `json:"seen"`                  // earlier runs under any conditions, with at least 10 minutes between them
	Approximate bool    `json:"approximate,omitempty"` // from the spread of other benchmarks
}

// Known reports whether there is an interval.
func (a *Another) Known() bool { return a != nil && a.Half > 0 }

func (c *caseData) anotherRun(r *Benchmark) *Another {
	l := c.another
	if l == nil || r.Role != "" || r.Forks == 0 {
		return nil
	}
	a := &Another{Confidence: l.Confidence, Runs: l.Runs, Seen: l.Seen}
	if f := math.Exp(l.Half); l.Half > 0 && !math.IsInf(f, 0) {
		a.Half, a.Approximate = l.Half, l.Approximate
		a.Lo, a.Hi = r.Median/Number(f), r.Median*Number(f)
	}
	return a
}
