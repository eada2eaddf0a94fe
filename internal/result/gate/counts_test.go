package gate

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// counted returns the comparison of two sides of 20 forks of which each reports the same number of some units; of the new side, the
// first forks report another one.
func counted(sameBinary bool, base, other record.Values, forks int) *result.Result {
	b := result.NewBuilder()
	sums := []string{"a", "b"}
	if sameBinary {
		sums[1] = "a"
	}
	b.Add(&record.Run{Version: record.Version, Sides: []record.Side{{Name: "old"}, {Name: "new"}}})
	id := 0
	for i, side := range []string{"old", "new"} {
		b.Add(&record.Bin{ID: i + 1, Pkg: "p", Side: side, SHA256: sums[i], Files: "f"})
		b.Add(&record.Case{ID: i + 1, Pkg: "p", Name: "X", Side: side, Bin: i + 1, Procs: 1, Mode: record.ModeN})
		for k := range 20 {
			id++
			v := base
			if side == "new" && k < forks {
				v = other
			}
			b.Add(&record.Sample{Fork: id, Iter: 2, Phase: record.PhaseMeasure, Ops: 1, V: v})
			b.Add(&record.Fork{ID: id, Case: i + 1, Bin: i + 1, Round: k + 1, Purpose: record.PurposeTiming, State: record.StateOK})
		}
	}
	return b.Result()
}

// TestSomeForks: a count that grows in some forks of the change alone never passes a gate, although its median is that of the base.
func TestSomeForks(t *testing.T) {
	const miss, open = "missed", "not decided"
	allocs := func(x, bytes float64) record.Values {
		return record.Values{{Unit: "allocs/op", Value: x}, {Unit: "B/op", Value: bytes}}
	}
	for _, c := range []struct {
		what        string
		gate        string
		same        bool
		base, other record.Values
		forks       int
		code        int
		allocs      string
		bytes       string
	}{
		{"all forks", "more:0%", false, allocs(0, 0), allocs(1, 16), 20, 3, miss, miss},
		{"some forks", "more:0%", false, allocs(0, 0), allocs(1, 16), 8, 3, miss, miss},
		{"some forks of one binary", "more:0%", true, allocs(0, 0), allocs(1, 16), 8, 4, open, open},
		{"one fork", "more:0%", false, allocs(0, 0), allocs(1, 16), 1, 4, open, open},
		{"some forks, the whole interval", "more:0%:proven", false, allocs(2, 32), allocs(3, 48), 8, 3, miss, miss},
		{"within the limit", "more:10%", false, allocs(100, 1600), allocs(105, 1680), 8, 0, "", ""},
		{"beyond the limit", "more:4%", false, allocs(100, 1600), allocs(105, 1680), 8, 3, miss, miss},
		{"fewer", "more:0%", false, allocs(2, 32), allocs(1, 16), 8, 0, "", ""},
		{"bytes of the runtime", "more:0%", false, allocs(0, 0), allocs(0, 6), 2, 0, "", ""},
		{"larger allocations", "more:0%", false, allocs(1, 16), allocs(1, 4096), 8, 3, "", miss},
		{"none", "more:0%", false, allocs(0, 0), allocs(0, 0), 8, 0, "", ""},
	} {
		res := counted(c.same, c.base, c.other, c.forks)
		code, said := judged(t, res, LostNotDecided, c.gate)
		if code != c.code {
			t.Errorf("%s: exit %d, want %d\n%s", c.what, code, c.code, said)
		}
		for unit, want := range map[string]string{"allocs/op": c.allocs, "B/op": c.bytes} {
			lines := slices.Collect(strings.Lines(said))
			i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "X "+unit+":") })
			if want == "" && i >= 0 || want != "" && (i < 0 || !strings.Contains(lines[i], want+": X")) {
				t.Errorf("%s: %s is not %q:\n%s", c.what, unit, want, said)
			}
		}
	}
}

// TestFisher holds p against tables.
func TestFisher(t *testing.T) {
	for _, c := range []struct {
		m, n, k int
		want    float64
	}{{20, 20, 0, 1}, {20, 20, 5, 0.0471}, {20, 20, 4, 0.1060}, {2, 2, 2, 1. / 3}, {6, 6, 6, 0.00216}} {
		if p := fisher(c.m, c.n, c.k); p < c.want*0.99 || p > c.want*1.01 {
			t.Errorf("%d of %d against none of %d: %v, want %v", c.k, c.n, c.m, p, c.want)
		}
	}
}
