package bisecttext

import (
	"fmt"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/record"
)

// table lists the commits that may be the first, or all that were measured with -v, and the ends.
func (t text) table() {
	tab := &table.Table{Columns: []table.Column{
		{Title: "commit"}, {Title: "probability", Kind: table.Right}, {Title: "median", Kind: table.Right, Gap: 3}, {Title: "forks", Kind: table.Right}, {Title: "subject", Gap: 3, Max: 60},
	}}
	for i, c := range t.Commits {
		if i > 0 && i < len(t.Commits)-1 && c.Probability < listed && !(t.Verbose && c.Forks > 0) {
			continue
		}
		p, median, forks := units.None, units.None, units.None
		if c.Probability > 0 {
			p = percent(c.Probability)
		}
		if c.Forks > 0 {
			median, forks = units.Value(t.Metric, c.Median, 4), fmt.Sprint(c.Forks)
		}
		tab.Row(short(c.Commit), p, median, forks, t.Line(c.Subject))
	}
	t.Table(tab.Fit(t.Charset, t.Columns, 10))
}

func percent(p float64) string {
	switch {
	case p > 0.999:
		return "> 99.9 %"
	case p < 0.001:
		return "< 0.1 %"
	}
	return units.PercentTo(p, 1)
}

// notes say what limits the result.
func (t text) notes() {
	if t.Base != "" {
		t.Hang(termtext.Dim, "note: ", fmt.Sprintf("%s is no ancestor of BAD; GOOD is their merge base", t.Line(t.Base)))
	}
	if n := t.same(); n > 0 {
		t.Hang(termtext.Dim, "note: ", fmt.Sprintf("%s not measured: same test binary as the commit before", units.Plural(n, "commit")))
	}
	if t.Layouts < 2 && t.State == "found" && (record.IsTime(t.Metric) || record.IsRate(t.Metric)) {
		t.Hang(termtext.Yellow, "note: ", "measured in one code layout: a few percent may be the layout of the binary and not the commit's code; --layouts 4 tells")
	}
	for _, c := range t.Commits {
		if c.Skipped != "" {
			t.Hang(termtext.Dim, "skipped: ", short(c.Commit)+" "+t.Line(c.Skipped))
		}
	}
	if t.Part {
		t.Hang(termtext.Yellow, "note: ", "this commit explains a part of the difference: there are other steps")
	}
}

// next says what to do.
func (t text) next() {
	switch {
	case t.State == "found" && len(t.Group) <= 1:
		t.Hang(termtext.Dim, "next: ", "git show "+short(t.First))
		if t.Part {
			t.Hang(termtext.Dim, "next: ", fmt.Sprintf("tare bisect %s %s, and %s %s, find the others", short(t.First), short(t.Commits[len(t.Commits)-1].Commit), short(t.Commits[0].Commit), short(t.First)+"^"))
		}
	case t.State == "undecided" || t.State == "searching":
		t.Hang(termtext.Dim, "next: ", "tare bisect --resume FILE goes on; a longer --budget, or a quieter machine, decides")
	}
}

func short(hash string) string { return hash[:min(10, len(hash))] }
