package render

import (
	"fmt"
	"slices"

	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/units"
)

// runNotes adds the doubts about the whole run, that the machine was busy first.
func (p *view) runNotes(s *result.Result) {
	p.notes.Run(busy(s)...)
	for _, w := range s.Warnings {
		if w.Code != result.CodeOneSide || len(p.versus) == 0 {
			p.notes.Run(w)
		}
	}
}

// marks adds the doubts about a row, and returns the marks of their notes.
func (p *view) marks(row string, ws []result.Warning) string {
	return page.Marks(p.Charset, p.notes.Row(row, ws))
}

// ofSide are the warnings of a result, with its side where sides are compared.
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

// busy is the doubt that others had the processors: when the run began, as many processes
// wanted to run as there are processors.
func busy(s *result.Result) []result.Warning {
	load := s.Tare.Load
	if s.Run == nil || s.Run.Env.Cores == 0 || load < float64(s.Run.Env.Cores) {
		return nil
	}
	advice := "measure at a quieter time"
	if !s.IsLoad() && !s.IsTime() {
		advice += ", or compare sides (--against), which are disturbed alike"
	}
	return []result.Warning{{
		Code:   page.CodeBusy,
		Text:   fmt.Sprintf("load %.1f on %s when the run began: other processes had a part of them", load, units.Plural(s.Run.Env.Cores, "core")),
		Advice: advice,
	}}
}
