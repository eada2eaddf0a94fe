// Package bisecttext shows to people which commit changed a benchmark: the record line of tare bisect.
package bisecttext

import (
	"fmt"
	"io"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

// listed is the probability from which on a commit is in the table.
const listed = 0.01

// text is a search being written.
type text struct {
	*textpage.Page
	*record.Bisect
}

// Text writes what a search came to. run is the head of its record.
func Text(w io.Writer, run *record.Run, b *record.Bisect, o textpage.Options) error {
	t := text{textpage.New(o), b}
	if run != nil {
		t.Items(termtext.Dim, append(textpage.Machine(run.Env), fmt.Sprintf("seed %s", run.Seed))...)
	}
	t.Items(termtext.Dim, fmt.Sprintf("%s of %s", t.benchmark(), t.Charset.Name(b.Pkg)), b.Metric, t.span(), fmt.Sprintf("%s of %s", units.Plural(b.Forks, "fork"), units.Plural(t.measured(), "commit")), t.layouts())
	t.Blank()
	t.verdict()
	t.Blank()
	t.table()
	t.notes()
	t.next()
	return t.Flush(w)
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
		t.Para(termtext.Bold, "One of %s changed it: %s. Those between cannot be measured, so the search cannot decide between them.", units.Plural(len(t.Group), "commit"), strings.Join(names, ", "))
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
func factor(x float64) string { return units.Fixed(x, 3) + "×" }

func (t text) subject(hash string) string {
	for _, c := range t.Commits {
		if c.Commit == hash {
			return c.Subject
		}
	}
	return ""
}
