package benchrun

import (
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// pairRenamed pairs benchmarks of the base that a side lacks with those that only this side has, as results do, and
// warns about those that are lost. all are the cases of all sides.
func (f *Found) pairRenamed(all []*record.Case) {
	for _, s := range f.sides[1:] {
		lost, born := f.lacking(all, f.sides[0].Name, s.Name), f.lacking(all, s.Name, f.sides[0].Name)
		for i, j := range result.PairRenamed(lost, born) {
			if j >= 0 {
				if f.renamed == nil {
					f.renamed = map[*record.Case]*record.Case{}
				}
				f.renamed[born[j]] = lost[i]
				continue
			}
			if why := f.whyLost(lost[i], s, all); why != "" {
				f.warnings = append(f.warnings, ofCase(lost[i], diagnosis.Warn(diagnosis.Lost, diagnosis.Facts{"side": s.Name, "why": why})))
			}
		}
	}
}

// lacking returns the benchmarks of one side that did not fail, and that another side lacks.
func (f *Found) lacking(all []*record.Case, side, on string) (out []*record.Case) {
	for _, c := range all {
		if c.Side != side || f.Earlier != nil && f.Earlier.Lost(c.ID) || slices.ContainsFunc(f.Lost, func(l plan.Failure) bool { return l.Case == c }) {
			continue
		}
		if !slices.ContainsFunc(all, func(x *record.Case) bool { return x.Side == on && sameBenchmark(x, c) }) {
			out = append(out, c)
		}
	}
	return out
}

// whyLost returns why a side lacks a benchmark of the base, as far as its sources and its build tell.
func (f *Found) whyLost(c *record.Case, s *builtSide, all []*record.Case) string {
	if why := f.whyMissing(s, c.Pkg); why != "" {
		return why
	}
	i := slices.IndexFunc(f.bins, func(b *binary) bool { return b.side == s && b.Pkg == c.Pkg && b.Purpose == "" })
	switch {
	case i < 0:
		return "its package is not there"
	case !f.bins[i].declares(c.Name):
		return "there is no function Benchmark" + topName(c.Name)
	case strings.Contains(c.Name, "/"):
		return "" // skipped, or removed
	}
	ofFunction := func(x *record.Case) bool {
		return x.Side == s.Name && x.Pkg == c.Pkg && x.Procs == c.Procs && topName(x.Name) == topName(c.Name)
	}
	if slices.ContainsFunc(all, ofFunction) || slices.ContainsFunc(f.Lost, func(l plan.Failure) bool { return l.Case.Side == s.Name && l.Case.Pkg == c.Pkg }) {
		return "" // it has sub-benchmarks now, or did not get its turn
	}
	return "it skips itself, or gives no result"
}

// areCompared reports whether two cases of different sides are compared, as the same benchmark or as one that looks
// renamed.
func (f *Found) areCompared(a, b *record.Case) bool {
	return sameBenchmark(a, b) || f.renamed[a] == b || f.renamed[b] == a
}
