package trends

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
)

// sparkWidth is the most columns of a picture of a series.
const sparkWidth = 40

// text is a history as text.
type text struct {
	*textpage.Page
	t       *trend.Trends
	several bool // values of GOMAXPROCS
}

// writeText writes a history for a terminal.
func writeText(w io.Writer, t *trend.Trends, o textpage.Options) error {
	x := &text{textpage.New(o), t, severalProcs(t)}
	x.head()
	x.Print(termtext.Normal, "")
	x.series()
	x.suspects()
	return x.Flush(w)
}

// head says of what the history is.
func (x *text) head() {
	t := x.t
	x.Items(termtext.Bold, facts(t)...)
	for _, text := range notes(t) {
		x.Para(termtext.Dim, "%s", text)
	}
}

// facts say of what a history is.
func facts(t *trend.Trends) []string {
	out := []string{fmt.Sprintf("%s of %s measured", units.Count(len(t.Points)-len(t.Without)), units.Plural(t.Line, "commit")), t.Described, "machine " + t.Machine, t.Toolchain}
	if t.Settings != "" {
		out = append(out, t.Settings)
	}
	return out
}

// notes say what is not shown.
func notes(t *trend.Trends) (out []string) {
	const most = 3
	for i, g := range t.Without {
		if i == most {
			out = append(out, units.Plural(len(t.Without)-most, "more commit")+" without figures")
			break
		}
		out = append(out, "without figures: "+termtext.OneLine(fmt.Sprintf("%s %s: %s", g.Short(), g.Subject, g.Why)))
	}
	for _, g := range t.Others {
		text := fmt.Sprintf("not compared: %s on machine %s (%s), %s", units.Plural(g.Commits, "commit"), g.Machine, g.Described, g.Toolchain)
		switch {
		case g.Machine != t.Machine:
			text += "; see --machine " + g.Machine
		case g.Toolchain != t.Toolchain:
			text += "; see --go " + g.Toolchain
		default:
			text += ", with other settings: " + cmp.Or(g.Settings, "none that tare knows of")
		}
		out = append(out, text)
	}
	if n := len(t.Elsewhere); n > 0 {
		out = append(out, units.Plural(n, "measured commit")+" not on this branch")
	}
	if t.Dirty > 0 {
		out = append(out, units.Plural(t.Dirty, "entry")+" of working trees with changes left out")
	}
	return out
}

// series has a row for each benchmark.
func (x *text) series() {
	tb := &table.Table{Columns: []table.Column{{}, {Title: "newest", Kind: table.Figures}, {Gap: 1}, {Title: x.span(), Gap: 2, Drop: 1, Quiet: true}, {Title: "suspects", Gap: 2}}}
	for _, r := range x.t.Rows {
		if !shown(x.t, r, x.Verbose) {
			continue
		}
		tb.Under(x.Name(r.Pkg), x.line(r))
	}
	x.Table(tb.Fit(x.Charset, x.Columns, textpage.LeastName))
}

// span returns the title of the pictures: from which commit to which.
func (x *text) span() string {
	p := x.t.Points
	return p[0].Short() + units.Dots + p[len(p)-1].Short()
}

func (x *text) line(r *trend.Row) table.Line {
	lead := "  " + x.Name(nameOf(r, x.several))
	if !r.Main {
		lead = "    " + x.Name(r.Unit) // below the main unit
	}
	number, unit := value(r)
	marks, style := "", termtext.Normal
	for i, s := range r.Suspects {
		if i > 0 {
			marks += ", "
		}
		marks += Change(s.Ratio)
		style = styleOf(r, s)
	}
	return table.Line{Cells: []table.Cell{{Text: lead}, {Text: number}, {Text: unit}, {Text: termtext.Sparkline(r.Filled(), last(r), sparkWidth), Style: termtext.Dim}, {Text: marks, Style: style}}}
}

func styleOf(r *trend.Row, s trend.Suspect) termtext.Style {
	switch {
	case r.Better == "":
		return termtext.Normal
	case r.Worse(s):
		return termtext.Red
	}
	return termtext.Green
}

// suspects has a row for each change of level.
func (x *text) suspects() {
	all := suspects(x.t)
	x.Print(termtext.Normal, "")
	if len(all) == 0 {
		x.Para(termtext.Normal, "no suspects: no benchmark's level changes")
		if n := len(x.t.Points) - len(x.t.Without); n < fewPoints {
			x.Para(termtext.Dim, "of %s little can be said: a settled suspect takes %d, a fresh one 8 before the change and 3 from it on", units.Plural(n, "commit"), fewPoints)
		}
		return
	}
	tb := &table.Table{Columns: []table.Column{{Title: units.Plural(len(all), "suspect")}, {Title: "change", Kind: table.Right}, {Title: "95 % interval", Kind: table.Right, Join: units.Dots, Mid: true}, {Title: "found", Drop: 2}, {Title: "state"}}}
	for _, f := range all {
		tb.Add(x.suspect(f)...)
	}
	x.Table(tb.Fit(x.Charset, x.Columns, textpage.LeastName))
	x.Print(termtext.Normal, "")
	x.Para(termtext.Dim, "%s", explain(all))
	if cmd := next(x.t, all); cmd != "" {
		x.Hang(termtext.Normal, "which commit: ", x.Line(cmd))
	}
}

// fewPoints is how many points the rank test needs: see stat.Shifts.
const fewPoints = 14

// suspect returns the line of a suspect, and the first commit of the new level below it.
func (x *text) suspect(f found) []table.Line {
	name := x.Name(nameOf(f.Row, x.several))
	if !f.Main {
		name += " " + x.Name(f.Unit)
	}
	c := x.t.Points[f.At]
	lo, hi := bounded(f.Suspect)
	interval := table.Cell{Text: lo, Tail: hi}
	if f.Exact {
		interval = table.Cell{Text: "exact", Free: true}
	}
	about := x.Name(c.Subject)
	if f.Row == x.t.Common {
		about = allBenchmarks
	}
	return []table.Line{{Cells: []table.Cell{
		{Text: name}, {Text: Change(f.Ratio), Style: styleOf(f.Row, f.Suspect)}, interval, {Text: how(f.Suspect)}, {Text: state(f.Suspect)},
	}}, {Wide: "from " + c.Short() + ": " + about, Indent: 4, Style: termtext.Dim}}
}

// next returns the command that finds the commit of the largest suspect to the worse; "" if there is none.
func next(t *trend.Trends, all []found) string {
	const margin = 3 // points on either side: the place of a suspect is not exact
	for _, f := range all {
		if f.Row == t.Common || !f.Row.Worse(f.Suspect) {
			continue
		}
		good, bad := before(f.Row, max(f.At-margin, 1)), min(f.At+margin, len(t.Points)-1)
		words := []string{"tare", "bisect", t.Points[good].Short(), t.Points[bad].Short(), "--bench", pattern(f.Name)}
		if !f.Main {
			words = append(words, "--metric", f.Unit)
		}
		return shellwords.Join(append(words, f.Pkg))
	}
	return ""
}

// pattern returns the pattern of --bench for a benchmark alone: one for each part of its name.
func pattern(name string) string {
	name, _, _ = strings.Cut(name, " ") // its role
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if i == 0 {
			part = "Benchmark" + part
		}
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}
