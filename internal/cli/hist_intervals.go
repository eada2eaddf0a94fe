package cli

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"github.com/tarebench/tare/hist"
)

// csv writes a line for each interval.
func (f *convertFlags) csv(in *input, w io.Writer) error {
	unit := f.unit
	if unit == "" {
		unit = "ns"
	}
	c := csv.NewWriter(w)
	err := in.each(func(src *histSource, i hist.Interval) error {
		if in.kept == 1 { // and not before: a log without an interval is no table
			c.Write([]string{"file", "tag", "start", "second", "length", "count", "min", "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max", "unit"})
		}
		p := inNs(i.Histogram, f.values.unit)
		row := []string{
			src.name, i.Tag, histTime(i.Start), seconds(i.Start.Sub(src.start()).Seconds()), seconds(i.Length.Seconds()),
			strconv.FormatInt(p.Count, 10),
		}
		if p.Count == 0 {
			row = append(row, make([]string, 8)...)
		} else {
			row = append(row, exactly(p.Min, unit), strconv.FormatFloat(p.Mean/float64(latencyUnits()[unit]), 'f', -1, 64))
			for _, v := range []int64{p.P50, p.P90, p.P99, p.P999, p.P9999, p.Max} {
				row = append(row, exactly(v, unit))
			}
		}
		return c.Write(append(row, unit))
	})
	c.Flush()
	if err == nil {
		err = c.Error()
	}
	return err
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }

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

// json writes one object, interval by interval.
func (f *convertFlags) json(in *input, w io.Writer) error {
	b := bufio.NewWriter(w)
	err := in.each(func(src *histSource, i hist.Interval) error {
		if in.kept == 1 {
			b.WriteString("{\n  \"unit\": \"ns\",\n  \"intervals\": [\n    ")
		} else {
			b.WriteString(",\n    ")
		}
		text, err := json.Marshal(jsonIntervalOf(src, i, f.values.unit))
		if err != nil {
			return err
		}
		_, err = b.Write(text)
		return err
	})
	if err != nil {
		b.Flush()
		return err
	}
	b.WriteString("\n  ]\n}\n")
	return b.Flush()
}

func jsonIntervalOf(src *histSource, i hist.Interval, unit int64) jsonInterval {
	j := jsonInterval{
		File: src.name, Tag: i.Tag, Start: histTime(i.Start),
		Second: i.Start.Sub(src.start()).Seconds(), Length: i.Length.Seconds(),
		Percentiles: inNs(i.Histogram, unit), Digits: i.Histogram.Config().Digits, Buckets: [][3]int64{},
	}
	for b, n := range i.Histogram.Buckets() {
		j.Buckets = append(j.Buckets, [3]int64{times(b.Lowest, unit), times(b.Highest, unit), n})
	}
	return j
}
