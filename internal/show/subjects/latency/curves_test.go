package latency

import (
	"slices"
	"testing"

	"github.com/tarebench/tare/internal/result/latencies"
	"github.com/tarebench/tare/internal/show/chart"
)

func source(file, tag string) *latencies.Source { return &latencies.Source{File: file, Tag: tag} }

func TestResponses(t *testing.T) {
	got := Responses([]*latencies.Source{
		source("a", "READ.response"), source("a", "READ.service"), source("b", "READ.service"), source("b", "READ.lateness"), source("a", "UPDATE.response"), source("c", "own"),
	})
	if want := []int{0, 2, 3, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestLooks: files have colours; within one file operations have them. What is not a response time is dashed beside one.
func TestLooks(t *testing.T) {
	for _, x := range []struct {
		name    string
		sources []*latencies.Source
		hues    []int
		strokes []chart.Stroke
	}{
		{"one file", []*latencies.Source{source("a", "READ.response"), source("a", "READ.service"), source("a", "UPDATE.response")}, []int{0, 0, 1}, []chart.Stroke{chart.Solid, chart.Dashed, chart.Solid}},
		{"two", []*latencies.Source{source("a", "READ.response"), source("b", "READ.response"), source("b", "READ.service")}, []int{0, 1, 1}, []chart.Stroke{chart.Solid, chart.Solid, chart.Dashed}},
		{"closed loop", []*latencies.Source{source("a", "READ.service"), source("a", "UPDATE.service")}, []int{0, 1}, []chart.Stroke{chart.Solid, chart.Solid}},
	} {
		if hues, strokes := styles(x.sources); !slices.Equal(hues, x.hues) || !slices.Equal(strokes, x.strokes) {
			t.Errorf("%s: %v %v, want %v %v", x.name, hues, strokes, x.hues, x.strokes)
		}
	}
}
