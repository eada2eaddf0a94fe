package trends

import (
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/internal/show/markdown"
	"github.com/tarebench/tare/internal/show/textpage"
)

// Write writes a history in a format: "text", "md", "csv", "json", "svg" or "html". tool is who writes a page, with its
// version.
func Write(w io.Writer, format string, t *trend.Trends, o textpage.Options, tool string) error {
	switch format {
	case "text":
		return writeText(w, t, o)
	case "md":
		return writeMarkdown(w, t, o)
	case "csv":
		return writeCSV(w, t)
	case "json":
		return writeJSON(w, t)
	case "svg":
		return writeSVG(w, t)
	case "html":
		return writeHTML(w, t, tool)
	}
	return fmt.Errorf("a history has no format %q", format)
}

// writeMarkdown writes the suspects, and the newest values.
func writeMarkdown(w io.Writer, t *trend.Trends, o textpage.Options) error {
	var b bytes.Buffer
	md := func(s string) string { return markdown.Text(s) }
	for i, f := range facts(t) {
		if i > 0 {
			b.WriteString(textpage.Sep)
		}
		b.WriteString(md(f))
	}
	b.WriteString("\n\n")
	if all := suspects(t); len(all) == 0 {
		b.WriteString("No suspects.\n\n")
	} else {
		rows := [][]string{{"suspect", "change", "95 % interval", "found", "state", "first commit", "subject"}}
		for _, f := range all {
			name := nameOf(f.Row, severalProcs(t))
			if !f.Main {
				name += " " + f.Unit
			}
			subject := t.Points[f.At].Subject
			if f.Row == t.Common {
				subject = allBenchmarks
			}
			rows = append(rows, []string{md(name), Change(f.Ratio), intervalOf(f), how(f.Suspect), md(state(f.Suspect)), md(t.Points[f.At].Short()), md(subject)})
		}
		markdown.Rows(&b, rows, []bool{false, true, true, false, false, false, false})
		b.WriteString("\n" + explain(all) + "\n\n")
	}
	rows := [][]string{{"benchmark", "newest", "trend"}}
	for _, r := range t.Rows {
		if shown(t, r, o.Verbose) {
			number, unit := value(r)
			rows = append(rows, []string{md(r.Pkg + " " + nameOf(r, severalProcs(t))), number + " " + md(unit), termtext.Sparkline(r.Filled(), last(r), sparkWidth)})
		}
	}
	markdown.Rows(&b, rows, []bool{false, true, false})
	_, err := b.WriteTo(w)
	return err
}

// writeCSV writes a line for each commit and series. Figures are not rounded.
func writeCSV(w io.Writer, t *trend.Trends) error {
	rows := [][]string{{"pkg", "name", "procs", "unit", "commit", "date", "subject", "forks", "median", "lo", "hi", "gap", "suspect", "ratio", "found", "state"}}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for _, r := range t.Rows {
		for i, c := range t.Points {
			row := []string{r.Pkg, r.Name, strconv.Itoa(r.Procs), r.Unit, c.Hash, c.Time.Format("2006-01-02T15:04:05Z"), c.Subject, strconv.Itoa(len(r.Values[i])), "", "", "", r.Gaps[i], "", "", "", ""}
			if len(r.Values[i]) > 0 {
				lo, hi := bounds(r.Values[i])
				row[8], row[9], row[10] = number(r.Medians[i]), number(lo), number(hi)
			}
			for _, s := range r.Suspects {
				if s.At == i {
					row[12], row[13], row[14], row[15] = "yes", number(s.Ratio), how(s), s.State
				}
			}
			rows = append(rows, row)
		}
	}
	return termtext.WriteCSV(w, rows)
}
