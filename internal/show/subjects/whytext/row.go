package whytext

import (
	"fmt"
	"slices"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/why"
	"github.com/tarebench/tare/internal/result/why/gather"
)

// Row is a comparison with its answer.
type Row struct {
	*result.Comparison
	Title   string // the benchmark
	Answer  why.Answer
	Hunks   [][]why.Hunk // of each cause
	Changed []why.Hunk   // all that changed there, if it is little and touches none of the causes
	Missing []string     // profilers that were not used, or not on both sides
	Next    string       // the command to run next; "" for none

	unavailable []string // why profilers of the run were not available
	distrust    []string // why the verdict is not trusted
}

// profilers is how many profilers are asked.
var profilers = len(gather.Profiled{}.Missing())

// unavailable returns why profilers of a run were not available.
func unavailable(res *result.Result) (out []string) {
	for _, w := range res.Warnings {
		if w.Code == diagnosis.NotAvailable {
			out = append(out, w.Text)
		}
	}
	return out
}

// Of divides a difference among causes, without those that explain less than least. layouts is the result of other layouts of the same
// benchmark; nil: there is none.
func Of(res *result.Result, c *result.Comparison, least float64, layouts *result.Result) Row {
	e, looked := gather.Of(res, c)
	if layouts != nil {
		e.Layouts = gather.Layouts(layouts, c)
	}
	r := Row{Comparison: c, Title: c.Name, Answer: why.Explain(e, least), Missing: looked.Missing(), unavailable: unavailable(res)}
	if slices.ContainsFunc(res.Comparisons, func(x result.Comparison) bool { return x.Pkg == c.Pkg && x.Name == c.Name && x.Procs != c.Procs }) {
		r.Title += fmt.Sprintf(", GOMAXPROCS %d", c.Procs)
	}
	if !c.Trusted {
		r.distrust = c.DistrustReasons(res.Warnings)
	}
	return r
}

// Profiled reports whether any of the profilers was used on both sides.
func (r *Row) Profiled() bool { return len(r.Missing) < profilers }

// hunksOf returns the hunks of a cause.
func (r *Row) hunksOf(i int) []why.Hunk {
	if i < len(r.Hunks) {
		return r.Hunks[i]
	}
	return nil
}

// shownAt returns the cause before cause i that has the same hunk; -1 if none has.
func (r *Row) shownAt(i int, h why.Hunk) int {
	for k := range i {
		if slices.ContainsFunc(r.hunksOf(k), func(x why.Hunk) bool { return x.File == h.File && x.Header == h.Header }) {
			return k
		}
	}
	return -1
}
