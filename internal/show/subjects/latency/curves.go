package latency

import (
	"slices"

	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/show/chart"
	"github.com/tarebench/tare/record"
)

// Responses returns the indices of the sources that a picture shows where none were chosen: of a file with response times
// these alone, of others all.
func Responses(sources []*latencies.Source) []int {
	has := map[string]bool{}
	for _, s := range sources {
		if kindOf(s) == record.TagResponse {
			has[s.File] = true
		}
	}
	var out []int
	for i, s := range sources {
		if !has[s.File] || kindOf(s) == record.TagResponse {
			out = append(out, i)
		}
	}
	return out
}

func kindOf(s *latencies.Source) string {
	_, kind := latencies.SplitTag(s.Tag)
	return kind
}

// styles returns the colour and the stroke of the curve of each source. A file has a colour, and where there is only one,
// an operation; response times are solid, and other kinds of latency dashed beside them.
func styles(sources []*latencies.Source) (hues []int, strokes []chart.Stroke) {
	files := map[string]bool{}
	solid := false
	for _, s := range sources {
		files[s.File] = true
		solid = solid || kindOf(s) == record.TagResponse
	}
	var names []string
	for _, s := range sources {
		name := s.File
		if len(files) == 1 {
			name, _ = latencies.SplitTag(s.Tag)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		hues = append(hues, slices.Index(names, name))
		stroke := chart.Solid
		if kind := kindOf(s); solid && kind != "" && kind != record.TagResponse {
			stroke = chart.Dashed
		}
		strokes = append(strokes, stroke)
	}
	return hues, strokes
}
