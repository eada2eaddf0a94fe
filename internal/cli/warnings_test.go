package cli

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
)

// TestPrintWarnings: -v prints the warnings of a run and of its benchmarks, each once, but none
// that is printed elsewhere.
func TestPrintWarnings(t *testing.T) {
	stolen := result.Warning{Code: "steal", Text: "time was stolen", Advice: "measure later"}
	res := &result.Result{
		Warnings: []result.Warning{stolen, stolen},
		Results:  []result.Benchmark{{Name: "Sort", Warnings: []result.Warning{{Code: "few-forks", Text: "2 forks"}, {Code: "listed", Text: "in the listing"}}}},
	}
	var b strings.Builder
	printWarnings(&b, warningsOf(res), "listed")
	if want := "tare: time was stolen\ntare: hint: measure later\ntare: Sort: 2 forks\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
