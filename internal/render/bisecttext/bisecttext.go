// Package bisecttext shows to people which commit changed a benchmark: the record line of tare bisect.
package bisecttext

import (
	"fmt"
	"io"
	"strings"

	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/render/table"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/internal/units"
	"github.com/tarebench/tare/record"
)

// listed is the probability from which on a commit is in the table.
const listed = 0.01

// text is a search being written.
type text struct {
	*page.Page
	*record.Bisect
}

// Text writes what a search came to. run is the head of its record.
func Text(w io.Writer, run *record.Run, b *record.Bisect, o page.Options) error {
	t := text{page.New(o), b}
	if run != nil {
		t.Items(termtext.Dim, append(page.Machine(run.Env), fmt.Sprintf("seed %s", run.Seed))...)
	}
	t.Items(termtext.Dim, fmt.Sprintf("%s of %s", t.benchmark(), t.Charset.Name(b.Pkg)), b.Metric, t.span(), fmt.Sprintf("%s of %s", units.Plural(b.Forks, "fork"), units.Plural(t.measured(), "commit")), t.layouts())
	t.Blank()
	t.verdict()
	t.Blank()
	t.table()
	t.notes()
	t.next()
	_, err := t.WriteTo(w)
	return err
}

// benchmark returns the name of the benchmark.
func (t text) benchmark() string { return t.Charset.Name(t.Bisect.Name) }

func (t text) measured() int {
	n := 0
	for _, c := range t.Commits {
		if c.Forks > 0 {
			n++
		}
	}
	return n
}

func (t text) span() string {
	if len(t.Commits) < 2 {
		return ""
	}
	return fmt.Sprintf("%s … %s: %s", short(t.Commits[0].Commit), short(t.Commits[len(t.Commits)-1].Commit), units.Plural(len(t.Commits)-1, "commit"))
}

func (t text) layouts() string {
	if t.Layouts < 2 {
		return "one code layout"
	}
	return units.Plural(t.Layouts, "random code layout")
}

// verdict says what was found.
func (t text) verdict() {
	switch t.State {
	case "found":
		t.found()
	case "nothing":
		if t.same() == len(t.Commits)-1 {
			t.Para(termtext.Normal, "Nothing to find: no commit between changes the test binary.")
			return
		}
		t.Para(termtext.Normal, "Nothing to find: the two ends do not differ. %s", t.ends())
	case "unusable":
		t.Para(termtext.Red, "Nothing can be said: %s", t.brokenEnd())
	default:
		t.Para(termtext.Normal, "Not decided. %s", t.ends())
	}
}

func (t text) same() int {
	n := 0
	for _, c := range t.Commits {
		if c.Same {
			n++
		}
	}
	return n
}

func (t text) brokenEnd() string {
	for _, i := range []int{0, len(t.Commits) - 1} {
		if i >= 0 && t.Commits[i].Skipped != "" {
			return short(t.Commits[i].Commit) + " cannot be measured: " + t.Line(t.Commits[i].Skipped)
		}
	}
	return "an end cannot be measured"
}

func (t text) found() {
	if len(t.Commits) == 0 {
		return // such a record was not written by tare
	}
	if len(t.Group) > 1 {
		var names []string
		for _, g := range t.Group {
			names = append(names, short(g))
		}
		t.Para(termtext.Bold, "One of %s changed it: %s. Those between cannot be measured, so they cannot be told apart.", units.Plural(len(t.Group), "commit"), strings.Join(names, ", "))
	} else {
		t.Para(termtext.Bold, "%s %s %s", short(t.First), t.change(), t.Line(t.subject(t.First)))
	}
	switch old, new := t.median(t.Commits[0].Commit), t.median(t.First); {
	case t.Lo == 0 && t.Hi == 0:
		t.Para(termtext.Normal, "From %s at GOOD to %s.", units.Value(t.Metric, old, 4), units.Value(t.Metric, new, 4))
	case t.Lo == t.Hi:
		t.Para(termtext.Normal, "%s of the commit before; all forks of a commit agree.", factor(t.Ratio))
	default:
		t.Para(termtext.Normal, "%s of the commit before (95 %% interval %s … %s).", factor(t.Ratio), factor(t.Lo), factor(t.Hi))
	}
}

func (t text) median(hash string) float64 {
	for _, c := range t.Commits {
		if c.Commit == hash {
			return c.Median
		}
	}
	return 0
}

// change says in which direction the metric went: "made it slower:".
func (t text) change() string {
	up := t.Ratio > 1
	if t.Ratio == 0 && len(t.Commits) > 0 { // one of the levels is 0
		up = t.median(t.First) > t.Commits[0].Median
	}
	switch {
	case t.Better == "":
		return "changed it:"
	case record.IsTime(t.Metric) && up:
		return "made it slower:"
	case record.IsTime(t.Metric):
		return "made it faster:"
	case up == (t.Better == record.Lower):
		return "made it worse:"
	}
	return "made it better:"
}

func (t text) ends() string {
	if t.Hi == 0 {
		return ""
	}
	return fmt.Sprintf("%s takes %s of %s (95 %% interval %s … %s).", short(t.Commits[len(t.Commits)-1].Commit), factor(t.Ratio), short(t.Commits[0].Commit), factor(t.Lo), factor(t.Hi))
}

// factor writes a ratio: 1.053×.
func factor(x float64) string { return fmt.Sprintf("%.3f×", x) }

func (t text) subject(hash string) string {
	for _, c := range t.Commits {
		if c.Commit == hash {
			return c.Subject
		}
	}
	return ""
}

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
	return fmt.Sprintf("%.1f %%", 100*p)
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
