package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/result"
)

// fewBeyond is how many values must lie beyond a percentile for the next run to
// have about the same.
const fewBeyond = 10

// latencyTable is distributions to be printed.
type latencyTable struct {
	f      *percentilesFlags
	files  int
	rows   []*distribution
	marked bool // a percentile rests on few values
}

// titles are those of the columns behind the first.
func (t *latencyTable) titles() []string {
	out := []string{"count", "min", "mean"}
	for _, p := range t.f.at {
		out = append(out, percentileName(p))
	}
	return append(out, "max")
}

// cells are the figures of a distribution.
func (t *latencyTable) cells(d *distribution) []timeCell {
	h, unit := d.hist, t.f.values.unit
	out := []timeCell{{number: grouped(h.Count())}}
	if h.Count() == 0 {
		return out
	}
	cell := func(v int64) timeCell { return latencyCell(float64(times(v, unit)), t.f.unit) }
	out = append(out, cell(h.Min()), latencyCell(h.Mean()*float64(unit), t.f.unit))
	for _, p := range t.f.at {
		c := cell(percentileOf(h, p))
		if p > 50 && p < 100 && h.CountBeyond(p) < fewBeyond {
			c.half, t.marked = "*", true
		}
		out = append(out, c)
	}
	return append(out, cell(h.Max()))
}

// text prints a table for people.
func (t *latencyTable) text(w io.Writer) error {
	var b bytes.Buffer
	for from := 0; from < len(t.rows); {
		to := t.sameFile(from)
		if from > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(t.heading(from, to) + "\n\n")
		g := grid{titles: append([]string{""}, t.titles()...)}
		for _, d := range t.rows[from:to] {
			g.rows = append(g.rows, append([]timeCell{{unit: d.name()}}, t.cells(d)...))
		}
		g.write(&b, math.MaxInt)
		from = to
	}
	if notes := t.notes(); len(notes) > 0 {
		b.WriteString("\n" + strings.Join(notes, "\n") + "\n")
	}
	text := b.String()
	if !utf8Locale() {
		text = strings.NewReplacer("µ", "u", "·", "|").Replace(text)
	}
	_, err := io.WriteString(w, text)
	return err
}

// sameFile returns the end of the rows that are of the same file.
func (t *latencyTable) sameFile(from int) int {
	to := from
	for to < len(t.rows) && t.rows[to].src == t.rows[from].src {
		to++
	}
	return to
}

// heading says what the rows are of.
func (t *latencyTable) heading(from, to int) string {
	d := *t.rows[from]
	for _, x := range t.rows[from:to] {
		d.first, d.last = min(d.first, x.first), max(d.last, x.last)
		d.intervals = max(d.intervals, x.intervals)
	}
	intervals := "1 interval"
	if d.intervals != 1 {
		intervals = grouped(int64(d.intervals)) + " intervals"
	}
	return fmt.Sprintf("%s · %s, %s to %s of the log that starts %s", d.src.name, intervals,
		strings.TrimSuffix(secondsOf(d.first), " s"), secondsOf(d.last), histTime(d.src.start()))
}

// notes are what must be known to read the figures.
func (t *latencyTable) notes() (notes []string) {
	if t.marked {
		notes = append(notes, fmt.Sprintf("* fewer than %d values lie beyond it: the next run will have another; measure longer, or go by a lower percentile", fewBeyond))
	}
	if d := t.f.values.expected; d > 0 {
		notes = append(notes, fmt.Sprintf("corrected: an estimate, as if the loop had sent every %s; a run with a schedule measures it: tare load --rate", d))
	}
	return notes
}

// markdown prints the same table for a page.
func (t *latencyTable) markdown(w io.Writer) error {
	var b bytes.Buffer
	titles := append([]string{"tag"}, t.titles()...)
	if t.files > 1 {
		titles = append([]string{"file"}, titles...)
	}
	b.WriteString("| " + strings.Join(titles, " | ") + " |\n|" + strings.Repeat(" --- |", t.words()) + strings.Repeat(" ---: |", len(titles)-t.words()) + "\n")
	for _, d := range t.rows {
		row := []string{d.name()}
		if t.files > 1 {
			row = append([]string{d.src.name}, row...)
		}
		for _, c := range t.cells(d) {
			text := strings.TrimSpace(c.number + " " + c.unit)
			if c.half != "" {
				text += ` \*`
			}
			row = append(row, text)
		}
		for len(row) < len(titles) {
			row = append(row, "")
		}
		for n, cell := range row[:t.words()] {
			row[n] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(cell)
		}
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	for _, n := range t.notes() {
		b.WriteString("\n" + strings.Replace(n, "*", `\*`, 1) + "\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// words is how many of the columns are no figures.
func (t *latencyTable) words() int {
	if t.files > 1 {
		return 2
	}
	return 1
}

// csv prints a line for each distribution, all digits included.
func (t *latencyTable) csv(w io.Writer) error {
	unit := t.f.unit
	if unit == "" {
		unit = "ns"
	}
	c := csv.NewWriter(w)
	c.Write(append(append([]string{"file", "tag", "corrected"}, t.titles()...), "unit"))
	for _, d := range t.rows {
		h, one := d.hist, t.f.values.unit
		row := []string{d.src.name, d.tag, "", strconv.FormatInt(h.Count(), 10)}
		if d.corrected > 0 {
			row[2] = d.corrected.String()
		}
		if h.Count() == 0 {
			row = append(row, make([]string, len(t.titles())-1)...)
		} else {
			row = append(row, exactly(times(h.Min(), one), unit), strconv.FormatFloat(h.Mean()*float64(one)/float64(latencyUnits()[unit]), 'f', -1, 64))
			for _, p := range t.f.at {
				row = append(row, exactly(times(percentileOf(h, p), one), unit))
			}
			row = append(row, exactly(times(h.Max(), one), unit))
		}
		c.Write(append(row, unit))
	}
	c.Flush()
	return c.Error()
}

// jsonLatency is a row of latencies in a summary, and what only logs have.
type jsonLatency struct {
	result.Latency
	Corrected int64            `json:"corrected_ns,omitempty"` // the figures are an estimate for this expected interval
	At        []jsonPercentile `json:"percentiles,omitempty"`
}

// jsonPercentile is a percentile that was asked for.
type jsonPercentile struct {
	Percentile float64 `json:"percentile"`
	Value      int64   `json:"value"`
	Beyond     int64   `json:"beyond"` // how many values are larger
}

// json prints what a summary has under latencies.
func (t *latencyTable) json(w io.Writer) error {
	rows := []jsonLatency{}
	for _, d := range t.rows {
		l := jsonLatency{Corrected: int64(d.corrected)}
		l.Name, l.Kind = kindOf(d.tag)
		if t.files > 1 {
			l.Side = d.src.name
		}
		l.Latency.Percentiles, l.Unit = inNs(d.hist, t.f.values.unit), "ns"
		for _, p := range t.f.at {
			l.At = append(l.At, jsonPercentile{p, times(percentileOf(d.hist, p), t.f.values.unit), d.hist.CountBeyond(p)})
		}
		rows = append(rows, l)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{"latencies": rows})
}
