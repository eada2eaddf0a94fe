package gate

import (
	"math"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// TestRatioText: what is not known of a ratio is said.
func TestRatioText(t *testing.T) {
	nan := result.Number(math.NaN())
	for _, c := range []struct {
		ratio, lo, hi result.Number
		want          string
	}{{1.5, 1.25, 2, "ratio 1.500 (1.250 … 2.000)"}, {1.5, nan, nan, "ratio 1.500, no interval is known,"}, {nan, nan, nan, "no ratio is known"}} {
		if got := ratioText(&result.Comparison{Ratio: c.ratio, Lo: c.lo, Hi: c.hi}); got != c.want {
			t.Errorf("%v (%v … %v): %q", c.ratio, c.lo, c.hi, got)
		}
	}
}

// TestParse: a gate names a verdict and a share, in both forms in which shares are typed.
func TestParse(t *testing.T) {
	for text, limit := range map[string]float64{
		"slower:5%": 0.05, "slower:0.05": 0.05, "more:0%": 0, "slower:0": 0, "slower:5%:proven": 0.05, "slower:5%@.name:/Sort/": 0.05, "slower:100%": 1, "more:250%": 2.5,
	} {
		g, err := Parse([]string{text})
		if err != nil || len(g) != 1 || g[0].limit != limit || g[0].proven != strings.Contains(text, "proven") {
			t.Errorf("%s: %+v, %v", text, g, err)
		}
	}
	for _, text := range []string{"", "slower", "faster:5%", "slower:x", "slower:-1%", "slower:5%:maybe", "slower:5%@(", "slower:100", "slower:1", "slower:NaN%", "slower:Inf%"} {
		if g, err := Parse([]string{text}); err == nil {
			t.Errorf("%q is a gate: %+v", text, g[0])
		}
	}
}

// TestMissed: a row misses a gate by its ratio, under :proven by the whole interval.
func TestMissed(t *testing.T) {
	row := &result.Comparison{Verdict: string(stat.Slower), Ratio: 1.10, Lo: 1.03, Hi: 1.2}
	for text, missed := range map[string]bool{
		"slower:5%": true, "slower:20%": false, "slower:5%:proven": false, "slower:2%:proven": true, "more:5%": false,
	} {
		gates, err := Parse([]string{text})
		if err != nil {
			t.Fatal(err)
		}
		if got := gates[0].missedBy(row); got != missed {
			t.Errorf("%s: %v, want %v", text, got, missed)
		}
	}
}
