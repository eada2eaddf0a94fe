package export

import (
	"bytes"
	"encoding/csv"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// column returns the cells of a CSV's column, nil if it has none of that name.
func column(t *testing.T, s *result.Result, name string) []string {
	t.Helper()
	var b bytes.Buffer
	if err := CSV(&b, s); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll() // which fails for rows of other lengths
	if err != nil {
		t.Fatal(err)
	}
	for i, title := range rows[0] {
		if title == name {
			out := []string{}
			for _, r := range rows[1:] {
				out = append(out, r[i])
			}
			return out
		}
	}
	return nil
}

// TestCSVAnother: the interval for another run's median has two columns if any result has it. They are filled in the
// row of the result's main unit alone.
func TestCSVAnother(t *testing.T) {
	s := &result.Result{Results: []result.Benchmark{
		{Name: "A", Unit: "ns/op", Forks: 6, Metrics: result.Metrics{{Unit: "B/op"}}, Another: &result.Another{Half: 0.1, Lo: 90, Hi: 110}},
		{Name: "B", Unit: "ns/op", Forks: 6, Another: &result.Another{Runs: 2}},
		{Name: "C", Failed: "exit status 1"},
	}}
	if lo, hi := column(t, s, "another_lo"), column(t, s, "another_hi"); len(lo) != 4 || lo[0] != "90" || hi[0] != "110" || lo[1]+lo[2]+hi[3] != "" {
		t.Errorf("%q … %q", lo, hi)
	}
	s.Results = s.Results[1:]
	if lo := column(t, s, "another_lo"); lo != nil {
		t.Errorf("not known: %q", lo)
	}
}

// TestCSVComparisonWarnings: a comparison has a column with the codes of its warnings, and one with the ratio by
// which two runs of the same code may differ. Records of older versions have neither.
func TestCSVComparisonWarnings(t *testing.T) {
	disturbed := result.Warning{Code: diagnosis.Starved, Text: "others had the processors"}
	s := &result.Result{Comparisons: []result.Comparison{
		{Name: "A", Unit: "ns/op", Test: record.TestSavage, RunDifference: 0.1, Warnings: []result.Warning{disturbed, {Code: diagnosis.SameCode}, disturbed}},
		{Name: "B", Unit: "ns/op", Test: record.TestSavage},
	}}
	if w, a := column(t, s, "warnings"), column(t, s, "apart"); len(w) != 2 || w[0] != "starved same-code" || w[1] != "" || a[0] != "0.1" || a[1] != "" {
		t.Errorf("%q, %q", w, a)
	}
	for i := range s.Comparisons {
		s.Comparisons[i].Test, s.Comparisons[i].RunDifference = "", 0
	}
	if w, a := column(t, s, "warnings"), column(t, s, "apart"); w != nil || a != nil {
		t.Errorf("an older record has new columns: %q, %q", w, a)
	}
}
