package latency

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/show/markdown"
	"github.com/tarebench/tare/internal/show/table"
	"github.com/tarebench/tare/internal/show/textpage"
)

// WriteText prints a table for people: a part for each file, and a row for each tag.
func (t *Table) WriteText(w io.Writer, o textpage.Options) error {
	p := textpage.New(o)
	for from := 0; from < len(t.Rows); {
		rows := t.sameFile(from)
		if from > 0 {
			p.Blank()
		}
		p.Items(termtext.Normal, heading(p, rows)...)
		p.Blank()
		p.Table(table.First(p.Charset, p.Columns, 2, func(i int) (*table.Table, int) { return t.layout(p, rows, i > 0), 0 }))
		from += len(rows)
	}
	if notes := t.notes(); len(notes) > 0 {
		p.Blank()
		for _, n := range notes {
			p.Para(termtext.Normal, "%s", n)
		}
	}
	return p.Flush(w)
}

// sameFile returns the rows from one on that are of the same file.
func (t *Table) sameFile(from int) []*latencies.Distribution {
	to := from
	for to < len(t.Rows) && t.Rows[to].Number == t.Rows[from].Number {
		to++
	}
	return t.Rows[from:to]
}

// heading names the file, and the range of time of all rows.
func heading(p *textpage.Page, rows []*latencies.Distribution) []string {
	all := rows[0].Source
	for _, d := range rows {
		all.First, all.Last = min(all.First, d.First), max(all.Last, d.Last)
		all.Intervals = max(all.Intervals, d.Intervals)
	}
	return []string{p.Name(all.File), fmt.Sprintf("%s, %s to %s s of the log that starts %s", units.Plural(all.Intervals, "interval"),
		seconds(all.First), seconds(all.Last), all.Start.UTC().Format("2006-01-02T15:04:05.999Z07:00"))}
}

func seconds(d time.Duration) string { return units.Plain(d.Round(time.Millisecond).Seconds()) }

// layout makes a table of the rows of one file. For a narrow page it is stacked: tags have
// lines of their own, and if that is not enough the least and the mean go first, then
// percentiles from the lowest on.
func (t *Table) layout(p *textpage.Page, rows []*latencies.Distribution, stacked bool) *table.Table {
	out := &table.Table{Columns: []table.Column{{}}}
	for n, title := range t.titles() {
		c := table.Column{Title: title, Kind: table.Right, Join: " ", Gap: 2}
		if t.Unit.Ns != 0 && n > 0 {
			c.Kind = table.Figures
		}
		if stacked && title != "max" {
			c.Drop = n
		}
		out.Columns = append(out.Columns, c)
	}
	for _, d := range rows {
		name := p.Name(d.Name())
		if stacked {
			out.Add(table.Line{Wide: name})
			name = ""
		}
		cells := []table.Cell{{Text: name}}
		for _, f := range t.figures(d) {
			cells = append(cells, f.cell())
		}
		out.Add(table.Line{Cells: cells})
	}
	return out
}

// figure is a count or a latency.
type figure struct {
	number, unit string
	weak         bool // a percentile that rests on few values
	aligned      bool // all figures of the column have the unit
}

func (f figure) cell() table.Cell {
	mark := ""
	if f.weak {
		mark = "*"
	}
	if f.aligned {
		return table.Cell{Text: f.number, Tail: strings.TrimSpace(f.unit + " " + mark)}
	}
	return table.Cell{Text: f.text(), Tail: mark}
}

// atLeast marks a lower bound, as the table of a load run does.
func (f figure) atLeast(is bool) figure {
	if is {
		f.number = "> " + f.number
	}
	return f
}

func (f figure) text() string { return strings.TrimSpace(f.number + " " + f.unit) }

// figures returns what the columns after the tag show of a distribution.
func (t *Table) figures(d *latencies.Distribution) []figure {
	p, _ := d.Percentiles()
	out := []figure{{number: units.Count(p.Count)}}
	if p.Count == 0 {
		return out
	}
	out = append(out, t.latency(float64(p.Min)), t.latency(p.Mean).atLeast(d.Waits != nil))
	for _, percentile := range t.Percentiles {
		x, atLeast := d.Percentile(percentile)
		f := t.latency(float64(x)).atLeast(atLeast)
		f.weak = d.RestsOnFew(percentile)
		out = append(out, f)
	}
	return append(out, t.latency(float64(p.Max)).atLeast(d.Waits != nil))
}

// latency writes ns with three digits in the unit that suits them, or with four in the
// unit of the table.
func (t *Table) latency(ns float64) figure {
	if t.Unit.Ns != 0 {
		x := ns / float64(t.Unit.Ns)
		r := units.Digits(x, 4)
		r.Places, r.Trim = min(max(r.Places, 0), t.Unit.Places()), x == 0
		return figure{number: r.Text(x), unit: t.Unit.Name, aligned: true}
	}
	if math.Abs(ns) < 999.5 && ns == math.Trunc(ns) {
		return figure{number: units.Plain(ns), unit: "ns"}
	}
	s := units.ScaleOf("ns", ns)
	return figure{number: s.Number(ns, 3), unit: s.Long()}
}

// notes say what must be known to read the figures.
func (t *Table) notes() (notes []string) {
	weak := false
	for _, d := range t.Rows {
		for _, p := range t.Percentiles {
			weak = weak || d.Histogram.Count() > 0 && d.RestsOnFew(p)
		}
	}
	if weak {
		notes = append(notes, fmt.Sprintf("* fewer than %d values lie beyond it: not reproducible; measure longer, or go by a lower percentile", latencies.FewBeyond))
	}
	for _, d := range t.Rows {
		if n := d.Unanswered(); n > 0 && d.Histogram.Count() > 0 {
			notes = append(notes, fmt.Sprintf("%s: %s had waited up to %s without an answer, and count with that time: figures with > are lower bounds",
				d.Name(), units.Plural(n, "operation"), units.Time(latencies.Times(d.Waits.Max(), d.Unit))))
		}
	}
	for _, d := range t.Rows {
		if d.Corrected > 0 {
			return append(notes, fmt.Sprintf("corrected: an estimate, as if the loop had sent every %s; a run with a schedule measures it: tare load --rate", d.Corrected))
		}
	}
	return notes
}

// WriteMarkdown prints the same table for a page.
func (t *Table) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	titles, words := append([]string{"tag"}, t.titles()...), 1
	if t.Files > 1 {
		titles, words = append([]string{"file"}, titles...), 2
	}
	b.WriteString("| " + strings.Join(titles, " | ") + " |\n|" + strings.Repeat(" --- |", words) + strings.Repeat(" ---: |", len(titles)-words) + "\n")
	for _, d := range t.Rows {
		row := []string{d.Name()}
		if t.Files > 1 {
			row = []string{d.File, d.Name()}
		}
		for n, cell := range row {
			row[n] = markdown.Text(cell)
		}
		for _, f := range t.figures(d) {
			text := f.text()
			if f.weak {
				text += ` \*`
			}
			row = append(row, text)
		}
		row = append(row, make([]string, len(titles)-len(row))...)
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	for _, n := range t.notes() {
		b.WriteString("\n" + markdown.Text(n) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
