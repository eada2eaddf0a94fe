package render

import (
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result"
)

// runNotes adds the warnings about the whole run, that the machine was busy first.
func (p *view) runNotes(s *result.Result) {
	skip := ""
	unlisted := func(w result.Warning) bool { return w.Code == diagnosis.OneSide && !w.Listed }
	if len(p.versus) > 0 || !slices.ContainsFunc(s.Warnings, unlisted) {
		skip = diagnosis.OneSide
	}
	p.notes.About(s, skip)
}

// marks adds the warnings about a row, and returns the marks of their notes.
func (p *view) marks(row string, ws []result.Warning) string {
	return p.Marks(&p.notes, row, ws)
}

// ofSide returns the warnings of a result, with its side where sides are compared.
func (p *view) ofSide(r *result.Benchmark) []result.Warning {
	if len(p.versus) == 0 {
		return r.Warnings
	}
	out := slices.Clone(r.Warnings)
	for i := range out {
		out[i].Side = r.Side
	}
	return out
}
