package main

import (
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// lines is the record of one run.
type lines []record.Line

func readRuns(dir string) ([]lines, error) {
	files, err := recordsIn(dir)
	if err != nil {
		return nil, err
	}
	var runs []lines
	for _, file := range files {
		run, err := readRun(file)
		if err != nil {
			return nil, err
		}
		if n := len(run); n > 0 {
			if end, ok := run[n-1].(*record.End); ok && end.State == record.EndCompleted {
				runs = append(runs, run)
			}
		}
	}
	return runs, nil
}

func readRun(file string) (lines, error) {
	var out lines
	for l, err := range record.ReadFile(file) {
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// counts is how often each thing was said of one figure.
type counts struct {
	figure        string
	runs          int
	better, worse int // the second server
	trusted       int // of both
	equivalent    int
	ratio         float64 // sum over the runs
}

// table has the counts of each figure, in the order of tare's own table.
type table struct{ rows []*counts }

// tally judges runs.
func tally(runs []lines) *table {
	t := &table{}
	for _, run := range runs {
		b := result.NewBuilder()
		for _, l := range run {
			b.Add(l)
		}
		for _, c := range b.Result().Comparisons {
			t.row(c.Name).add(c)
		}
	}
	return t
}

func (t *table) row(figure string) *counts {
	for _, r := range t.rows {
		if r.figure == figure {
			return r
		}
	}
	t.rows = append(t.rows, &counts{figure: figure})
	return t.rows[len(t.rows)-1]
}

func (x *counts) add(c result.Comparison) {
	x.runs++
	x.ratio += float64(c.Ratio)
	switch c.Verdict {
	case string(stat.Faster), string(stat.More):
		x.better++
	case string(stat.Slower), string(stat.Less):
		x.worse++
	case string(stat.Equivalent):
		x.equivalent++
		return
	default:
		return
	}
	if c.Trusted {
		x.trusted++
	}
}

// print prints the table in Markdown.
func (t *table) print(w io.Writer) {
	fmt.Fprintln(w, "| figure | runs | mean ratio | worse | better | of these trusted | equivalent |")
	fmt.Fprintln(w, "| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, x := range t.rows {
		fmt.Fprintf(w, "| %s | %d | %.3f | %d | %d | %d | %d |\n", x.figure, x.runs, x.ratio/float64(x.runs), x.worse, x.better, x.trusted, x.equivalent)
	}
}
