package whyrun

import (
	"testing"

	"github.com/tarebench/tare/internal/result"
)

// TestPatternOf: several sub-benchmarks are chosen by the parts of their names, as far as all have one.
func TestPatternOf(t *testing.T) {
	for _, x := range []struct {
		names []string
		want  string
	}{
		{[]string{"A/x"}, "^BenchmarkA$/^x$"},
		{[]string{"Sum/4B", "Sum/8B"}, "^BenchmarkSum$/^4B$|^8B$"},
		{[]string{"A/x/1", "B"}, "^BenchmarkA$|^BenchmarkB$"},
	} {
		var rows []*result.Comparison
		for _, n := range x.names {
			rows = append(rows, &result.Comparison{Name: n})
		}
		if got := patternOf(rows); got != x.want {
			t.Errorf("%q: %s, want %s", x.names, got, x.want)
		}
	}
}
