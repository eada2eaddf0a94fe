package histfiles

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result/latencies"
)

// writeCSV writes a line for each selected interval.
func (in *Input) writeCSV(w io.Writer, unit latencies.TimeUnit) error {
	unit = unit.Or(latencies.Nanosecond)
	c := csv.NewWriter(w)
	err := in.each(func(src *source, i hist.Interval) error {
		if in.kept == 1 { // a log without an interval is an error, not a table
			c.Write([]string{"file", "tag", "start", "second", "length", "count", "min", "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max", "unit"})
		}
		p := latencies.PercentilesInNs(i.Histogram, in.Unit)
		row := []string{
			termtext.Cell(src.name), termtext.Cell(i.Tag), formatTime(i.Start), csvSeconds(i.Start.Sub(src.start())), csvSeconds(i.Length),
			strconv.FormatInt(p.Count, 10),
		}
		if p.Count == 0 {
			row = append(row, make([]string, 8)...)
		} else {
			row = append(row, unit.Exact(p.Min), strconv.FormatFloat(p.Mean/float64(unit.Ns), 'f', -1, 64))
			for _, v := range []int64{p.P50, p.P90, p.P99, p.P999, p.P9999, p.Max} {
				row = append(row, unit.Exact(v))
			}
		}
		return c.Write(append(row, unit.Name))
	})
	c.Flush()
	if err == nil {
		err = c.Error()
	}
	return err
}

func csvSeconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }

// jsonInterval is an interval with all its buckets.
type jsonInterval struct {
	File   string  `json:"file"`
	Tag    string  `json:"tag"`
	Start  string  `json:"start"`
	Second float64 `json:"second"` // of the log
	Length float64 `json:"length"` // seconds
	hist.Percentiles
	Digits  int        `json:"digits"`  // to which values are exact
	Buckets [][3]int64 `json:"buckets"` // lowest value, highest value, count
}

// writeJSON writes one object, interval by interval.
func (in *Input) writeJSON(w io.Writer) error {
	b := bufio.NewWriter(w)
	whole := termtext.JSON(b) // above the buffer, which cuts characters
	err := in.each(func(src *source, i hist.Interval) error {
		if in.kept == 1 {
			b.WriteString("{\n  \"unit\": \"ns\",\n  \"intervals\": [\n    ")
		} else {
			b.WriteString(",\n    ")
		}
		text, err := json.Marshal(newJSONInterval(src, i))
		if err != nil {
			return err
		}
		_, err = whole.Write(text)
		return err
	})
	if err != nil {
		b.Flush()
		return err
	}
	b.WriteString("\n  ]\n}\n")
	return b.Flush()
}

func newJSONInterval(src *source, i hist.Interval) jsonInterval {
	unit := src.in.Unit
	j := jsonInterval{
		File: src.name, Tag: i.Tag, Start: formatTime(i.Start),
		Second: i.Start.Sub(src.start()).Seconds(), Length: i.Length.Seconds(),
		Percentiles: latencies.PercentilesInNs(i.Histogram, unit), Digits: i.Histogram.Config().Digits, Buckets: [][3]int64{},
	}
	for b, n := range i.Histogram.Buckets() {
		j.Buckets = append(j.Buckets, [3]int64{latencies.Times(b.Lowest, unit), latencies.Times(b.Highest, unit), n})
	}
	return j
}
