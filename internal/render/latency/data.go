package latency

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/termtext"
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

// WriteCSV prints a line for each distribution, without rounding.
func (t *Table) WriteCSV(w io.Writer) error {
	unit := t.Unit.Or(latencies.Nanosecond)
	rows := [][]string{append(append([]string{"file", "tag", "corrected"}, t.titles()...), "unit")}
	for _, d := range t.Rows {
		p := d.Percentiles()
		row := []string{d.File, d.Tag, "", strconv.FormatInt(p.Count, 10)}
		if d.Corrected > 0 {
			row[2] = d.Corrected.String()
		}
		if p.Count == 0 {
			row = append(row, make([]string, len(t.titles())-1)...)
		} else {
			row = append(row, unit.Exact(p.Min), formatFloat(p.Mean/float64(unit.Ns)))
			for _, percentile := range t.Percentiles {
				row = append(row, unit.Exact(d.Percentile(percentile)))
			}
			row = append(row, unit.Exact(p.Max))
		}
		rows = append(rows, append(row, unit.Name))
	}
	return termtext.WriteCSV(w, rows)
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
	Beyond     int64   `json:"beyond"` // how many values are larger
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
		l.Latency.Percentiles, l.Unit = d.Percentiles(), "ns"
		for _, p := range t.Percentiles {
			l.At = append(l.At, jsonPercentile{p, d.Percentile(p), d.Histogram.CountBeyond(p)})
		}
		rows = append(rows, l)
	}
	e := json.NewEncoder(termtext.JSON(w))
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{"latencies": rows})
}

// formatFloat writes x with as many digits as it has.
func formatFloat(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
