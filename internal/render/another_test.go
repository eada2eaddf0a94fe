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
		{nil, "", ""},
		{&result.Another{Runs: 2, Seen: 2}, "", "intervals: of this run|another run here: not known yet (2 of 5 earlier runs like this, 10 minutes apart)"},
		{&result.Another{Runs: 0, Seen: 31}, "", "intervals: of this run|another run: not known, none of 31 earlier runs here was made under such load"},
		{&result.Another{Runs: 12, Seen: 31, Half: 0.1310}, "± 14 %", "intervals: of this run|another run: where its median may be, by 12 earlier runs like this one here"},
		{&result.Another{Runs: 12, Seen: 31, Half: 0.65}, "×÷ 1.9", "intervals: of this run|another run: where its median may be, by 12 earlier runs like this one here"},
		{&result.Another{Runs: 1, Seen: 1, Half: 0.0488, Approximate: true}, "~ ± 5.0 %", "intervals: of this run|~ of another run: by how much other benchmarks differ between runs here (1 of 5 earlier runs like this, 10 minutes apart)"},
	} {
		r := result.Benchmark{Another: tt.a}
		if got := another(&r); got != tt.cell {
			t.Errorf("%+v: %q, want %q", tt.a, got, tt.cell)
		}
		if got := strings.Join(aboutIntervals([]result.Benchmark{{}, r}), "|"); got != tt.below {
			t.Errorf("%+v: %q, want %q", tt.a, got, tt.below)
		}
	}
}
