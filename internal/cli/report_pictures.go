package cli

import (
	"bytes"
	"io"
	"slices"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/histfiles"
	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/internal/show/subjects/latency"
	"github.com/tarebench/tare/record"
)

// overTime are the percentiles that a page draws over time.
var overTime = []float64{50, 99, 100}

// loadPictures returns the pictures of a load run: latency by percentile and over time, or the curve of a sweep. A
// picture for which the record has too little is left out.
func loadPictures(res *result.Result, data []byte) []render.PagePicture {
	if !res.IsLoad() || res.LoadPairs != nil { // of two sides, a picture of both together says nothing
		return nil
	}
	var out []render.PagePicture
	add := func(alt string, draw func(io.Writer) error) {
		var svg bytes.Buffer
		if draw(&svg) == nil {
			out = append(out, render.PagePicture{SVG: svg.Bytes(), Alt: alt})
		}
	}
	if res.Stepped != "" {
		add("latency over the rate, for each step", func(w io.Writer) error { return latency.WriteSweep(w, res) })
		return out
	}
	tags := []string{"*" + record.TagResponse, "*" + record.TagService}
	add("latency by percentile: response and service times", func(w io.Writer) error {
		all, err := latenciesOf(data, tags).Distributions()
		if err != nil {
			return err
		}
		return latency.Plot{Files: 1}.PlotDistributions(w, all, 0)
	})
	add("latency over time: median, p99 and maximum", func(w io.Writer) error {
		series, err := latenciesOf(data, tags).Series(overTime, 0)
		if err != nil {
			return err
		}
		response := slices.DeleteFunc(slices.Clone(series), func(s *latencies.Series) bool {
			_, kind := latencies.SplitTag(s.Tag)
			return kind != record.TagResponse
		})
		if len(response) > 0 {
			series = response
		}
		return latency.Plot{Files: 1}.PlotSeries(w, series, overTime, 0)
	})
	return out
}

func latenciesOf(data []byte, tags []string) *histfiles.Input {
	return histfiles.Open(histfiles.Config{Files: []string{"-"}, Stdin: bytes.NewReader(data), Tags: tags})
}
