package render

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
)

func TestAnother(t *testing.T) {
	for _, tt := range []struct {
		a           *result.Another
		cell, below string
	}{
		{nil, "", "intervals: of this run"},
		{&result.Another{Runs: 2, Seen: 2}, "", "intervals: of this run|another run here: not known yet (2 of 5 earlier runs like this, 10 minutes apart)"},
		{&result.Another{Runs: 0, Seen: 31}, "", "intervals: of this run|another run: not known, none of 31 earlier runs here was made under such load"},
		{&result.Another{Runs: 12, Seen: 31, Half: 0.1310}, "± 14 %", "intervals: of this run|another run: where its median may be, by 12 earlier runs like this one here"},
		{&result.Another{Runs: 12, Seen: 31, Half: 0.65}, "×÷ 1.9", "intervals: of this run|another run: where its median may be, by 12 earlier runs like this one here"},
		{&result.Another{Runs: 1, Seen: 1, Half: 0.0488, Approximate: true}, "~ ± 5.0 %", "intervals: of this run|~ of another run: by how much other benchmarks differ between runs here (1 of 5 earlier runs like this, 10 minutes apart)"},
	} {
		r := result.Benchmark{Forks: 6, Another: tt.a}
		if got := another(&r); got != tt.cell {
			t.Errorf("%+v: %q, want %q", tt.a, got, tt.cell)
		}
		if got := strings.Join(intervalNotes([]result.Benchmark{{}, r}), "|"); got != tt.below {
			t.Errorf("%+v: %q, want %q", tt.a, got, tt.below)
		}
	}
	if got := intervalNotes([]result.Benchmark{{Failed: "exit status 1"}}); got != nil {
		t.Errorf("%q, but there are no figures", got)
	}
}

// TestJudgedOfDifferentRuns: intervals that hold what two runs differ by say so.
func TestJudgedOfDifferentRuns(t *testing.T) {
	s := archivedSides()
	if got := newView(s, Options{}).judged(s); strings.Contains(got, "runs here") {
		t.Errorf("%q", got)
	}
	s.Comparisons[0].RunDifference = 0.1
	if got := newView(s, Options{}).judged(s); !strings.HasPrefix(got, "95 % intervals that hold what runs here differ by, ") {
		t.Errorf("%q", got)
	}
}
