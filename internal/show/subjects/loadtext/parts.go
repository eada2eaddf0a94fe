package loadtext

import (
	"fmt"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/textpage"
)

// Header returns where and how a load run was measured, one item each.
func Header(s *result.Result, o textpage.Options) []string { return newView(s, o).header() }

// Errors returns the errors of each side of a load run by class, a line each, with the first of each class.
func Errors(s *result.Result) []string {
	var out []string
	for i := range s.LoadPairs.Sides {
		x := &s.LoadPairs.Sides[i]
		for _, f := range x.Load.Failures {
			text := fmt.Sprintf("%s: %s %s %s", x.Side, units.Count(f.Count), f.Name, wayOf(f))
			if f.First != "" {
				text += ", first: " + f.First
			}
			out = append(out, text)
		}
	}
	return out
}

// Verdict returns what came of the rate of a side of a load run in one sentence, and how it is printed.
func Verdict(x *result.LoadSide) (string, termtext.Style) {
	return x.Side + ": " + x.Load.Verdict, styleOf(&x.Load)
}

// Answers returns the answers of a load run by status, the frequent ones first, and the bytes per second, one item each; none where neither
// is counted.
func Answers(l *result.Load) []string { return traffic(l) }

// Server returns what the server took, one item each; none if it was not watched.
func Server(l *result.Load) []string { return server(l.Server) }

// Coincidences returns the slow windows of each side in which something else happened, too, a line each. [NoCause] says what that means.
func Coincidences(s *result.Result) (lines []string) {
	for i := range s.LoadPairs.Sides {
		x := &s.LoadPairs.Sides[i]
		for k := range x.Load.Coincidences[:min(len(x.Load.Coincidences), fewCoincidences)] {
			lines = append(lines, x.Side+" "+x.Load.Coincidences[k].Text)
		}
	}
	return lines
}
