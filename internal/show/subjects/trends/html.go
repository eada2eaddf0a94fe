package trends

import (
	"fmt"
	"io"
	"strconv"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/internal/show/webpage"
)

// visible makes what a store says printable.
var visible = termtext.Charset{UTF8: true}.Name

// mostPictures is the most pictures of a page.
const mostPictures = 200

// writeHTML writes a page: the suspects, the newest values, and a picture of each series.
func writeHTML(w io.Writer, t *trend.Trends, tool string) error {
	run := webpage.Run{Help: []string{explained + " " + notFinding}}
	for i, f := range facts(t) {
		name := []string{"commits", "machine", "", "toolchain", "settings"}[i]
		if name != "" {
			run.Facts = append(run.Facts, webpage.Fact{Name: name, Value: visible(f)})
		}
	}
	for _, text := range notes(t) {
		run.Notes = append(run.Notes, webpage.Note{Text: visible(text)})
	}
	all := suspects(t)
	run.Verdicts = []webpage.Verdict{{Kind: webpage.Same, Text: "no suspects: no benchmark's level changes"}}
	if len(all) > 0 {
		run.Verdicts = []webpage.Verdict{{Kind: webpage.Unknown, Text: units.Plural(len(all), "suspect") + ": the level of a benchmark changes"}}
		run.Blocks = append(run.Blocks, webpage.Block{Title: "Suspects", Table: suspectTable(t, all)})
	}
	figures, err := figuresOf(t)
	if err != nil {
		return err
	}
	run.Blocks = append(run.Blocks, figures)
	p := &webpage.Page{Title: "History of benchmarks", Tool: tool, Runs: []webpage.Run{run}}
	return p.Write(w)
}

func suspectTable(t *trend.Trends, all []found) *webpage.Table {
	tb := &webpage.Table{Columns: []webpage.Column{{Title: "benchmark"}, {Title: "unit"}, {Title: "change", Number: true}, {Title: "95 % interval", Number: true}, {Title: "found"}, {Title: "state"}, {Title: "first commit"}, {Title: "subject"}}}
	for _, f := range all {
		kind := webpage.Plain
		switch {
		case f.Worse(f.Suspect):
			kind = webpage.Bad
		case f.Better != "":
			kind = webpage.Good
		}
		c := t.Points[f.At]
		subject := c.Subject
		if f.Row == t.Common {
			subject = allBenchmarks
		}
		var cells []webpage.Cell
		for _, text := range []string{nameOf(f.Row, severalProcs(t)), f.Unit, Change(f.Ratio), intervalOf(f), how(f.Suspect), state(f.Suspect), c.Short(), subject} {
			cells = append(cells, webpage.Cell{Text: visible(text)})
		}
		cells[2].Value = strconv.FormatFloat(f.Ratio, 'g', -1, 64)
		tb.Add(cells...).Kind = kind
	}
	return tb
}

// figuresOf returns the pictures, with their figures as tables behind them.
func figuresOf(t *trend.Trends) (webpage.Block, error) {
	b := webpage.Block{Title: "Benchmarks"}
	left := 0
	for _, r := range t.Rows {
		if !shown(t, r, false) {
			continue
		}
		if len(b.Figures) == mostPictures {
			left++
			continue
		}
		c := picture(t, r)
		svg, err := chart.Inline(c, fmt.Sprintf("%s, commit by commit; %s", c.Title, units.Plural(len(r.Suspects), "suspect")))
		if err != nil {
			return b, err
		}
		b.Figures = append(b.Figures, webpage.Figure{Title: visible(c.Title), SVG: svg, Table: pointTable(t, r)})
	}
	if left > 0 {
		b.Notes = []string{fmt.Sprintf("the first %d pictures; %d more: tare history show BENCH", mostPictures, left)}
	}
	return b, nil
}

func pointTable(t *trend.Trends, r *trend.Row) *webpage.Table {
	tb := &webpage.Table{Columns: []webpage.Column{{Title: "commit"}, {Title: "date"}, {Title: visible(r.Unit), Number: true}, {Title: "forks", Number: true}, {Title: "subject"}}}
	for i, c := range t.Points {
		value, subject := r.Gaps[i], c.Subject
		if len(r.Values[i]) > 0 {
			s := units.ScaleOf(r.Unit, r.Medians[i])
			value = s.Number(r.Medians[i], 4) + " " + s.Long()
		}
		var cells []webpage.Cell
		for _, text := range []string{c.Short(), c.Time.Format("2006-01-02"), value, units.Count(len(r.Values[i])), subject} {
			cells = append(cells, webpage.Cell{Text: visible(text)})
		}
		tb.Add(cells...)
	}
	return tb
}
