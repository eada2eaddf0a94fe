package latency

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/latencies"
)

// Table is distributions to be printed.
type Table struct {
	Rows        []*latencies.Distribution
	Percentiles []float64
	Unit        latencies.TimeUnit // of the figures; zero: the unit that gives few digits, ns in csv
	Files       int                // how many were read; rows of several name their file
}

// titles returns those of the columns after the tag.
func (t *Table) titles() []string {
	out := []string{"count", "min", "mean"}
	for _, p := range t.Percentiles {
		out = append(out, percentileName(p))
	}
	return append(out, "max")
}

// WriteCSV prints a line for each distribution, without rounding. Where operations were never answered, a last column
// names the figures that are lower bounds.
func (t *Table) WriteCSV(w io.Writer) error {
	unit := t.Unit.Or(latencies.Nanosecond)
	rows := [][]string{append(append([]string{"file", "tag", "corrected"}, t.titles()...), "unit")}
	bounded := slices.ContainsFunc(t.Rows, func(d *latencies.Distribution) bool { return d.Waits != nil })
	if bounded {
		rows[0] = append(rows[0], "at_least")
	}
	for _, d := range t.Rows {
		p, _ := d.Percentiles()
		row := []string{d.File, d.Tag, "", strconv.FormatInt(p.Count, 10)}
		if d.Corrected > 0 {
			row[2] = d.Corrected.String()
		}
		if p.Count == 0 {
			row = append(row, make([]string, len(t.titles())-1)...)
		} else {
			row = append(row, unit.Exact(p.Min), strconv.FormatFloat(p.Mean/float64(unit.Ns), 'f', -1, 64))
			for _, percentile := range t.Percentiles {
				x, _ := d.Percentile(percentile)
				row = append(row, unit.Exact(x))
			}
			row = append(row, unit.Exact(p.Max))
		}
		row = append(row, unit.Name)
		if bounded {
			row = append(row, strings.Join(t.lowerBounds(d), " "))
		}
		rows = append(rows, row)
	}
	return termtext.WriteCSV(w, rows)
}

// lowerBounds returns the titles of the columns whose figures are lower bounds.
func (t *Table) lowerBounds(d *latencies.Distribution) (titles []string) {
	if d.Waits == nil || d.Histogram.Count() == 0 {
		return nil
	}
	titles = []string{"mean"}
	for _, percentile := range t.Percentiles {
		if _, atLeast := d.Percentile(percentile); atLeast {
			titles = append(titles, percentileName(percentile))
		}
	}
	return append(titles, "max")
}

// jsonLatency is a row of latencies of a Result, with what only logs have.
type jsonLatency struct {
	result.Latency
	Corrected int64            `json:"corrected_ns,omitempty"` // the figures are an estimate for this expected interval
	At        []jsonPercentile `json:"percentiles,omitempty"`
}

// jsonPercentile is one of the percentiles that were asked for.
type jsonPercentile struct {
	Percentile float64 `json:"percentile"`
	Value      int64   `json:"value"`
	AtLeast    bool    `json:"at_least,omitempty"` // the value is a lower bound
	Beyond     int64   `json:"beyond"`             // how many values are larger, unanswered operations excluded
}

// WriteJSON prints an object with the rows that a Result has under latencies, in ns.
func (t *Table) WriteJSON(w io.Writer) error {
	rows := []jsonLatency{}
	for _, d := range t.Rows {
		l := jsonLatency{Corrected: int64(d.Corrected)}
		l.Name, l.Kind = latencies.SplitTag(d.Tag)
		if t.Files > 1 {
			l.Side = d.File
		}
		l.Latency.Percentiles, l.AtLeast = d.Percentiles()
		l.Unit, l.Unanswered = "ns", d.Unanswered()
		for _, p := range t.Percentiles {
			x, atLeast := d.Percentile(p)
			l.At = append(l.At, jsonPercentile{p, x, atLeast, d.Histogram.CountBeyond(p)})
		}
		rows = append(rows, l)
	}
	return termtext.NewJSON(w, "  ").Encode(map[string]any{"latencies": rows})
}
