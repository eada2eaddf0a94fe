package trend

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/result/history"
)

// TestSetUp: B/op includes what a benchmark allocates once, divided by N. Another N is no change; a change of the code is one, and is
// the only one. allocs/op that do not depend on N stay as they are.
func TestSetUp(t *testing.T) {
	for _, test := range []struct {
		name          string
		anchor, noisy bool
		step          float64 // bytes per operation more, from commit 20 on
	}{
		{"alone", false, false, 0}, {"alone, with a change", false, false, 64}, {"anchor", true, false, 0}, {"anchor, with a change", true, false, 64}, {"noisy", true, true, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := seeded(t)
			c := NewCollector(lineOf(40))
			add := func(commit, sequence int, n int64, anchor bool) {
				e := &history.Entry{
					Commit: hash(commit), Time: time.Unix(int64(1e9+1000*sequence+commit), 0), Machine: "m", Toolchain: "go1.26.8", Sequence: fmt.Sprint(sequence), Anchor: anchor,
				}
				level := 1400.0
				if commit >= 20 {
					level += test.step
				}
				bytes := history.Series{Key: history.Key{Pkg: "p", Name: "B"}, Unit: "B/op", Better: "lower", N: n, Bin: fmt.Sprint("bin", commit)}
				allocs := bytes
				allocs.Unit, allocs.Values = "allocs/op", slices.Repeat(history.Values{3}, 5)
				for range 5 {
					x := level + 300_000/float64(n)
					if test.noisy {
						x += 10 * r.NormFloat64()
					}
					bytes.Values = append(bytes.Values, math.Floor(x))
				}
				e.Series = []history.Series{bytes, allocs}
				c.Add(history.File{}, e)
			}
			for sequence := range 8 {
				n := 150 + r.Int64N(100)
				if test.anchor {
					add(0, sequence, n, true)
				}
				for i := 5 * sequence; i < 5*sequence+5; i++ {
					if !test.anchor {
						n = 150 + r.Int64N(100)
					}
					if i > 0 {
						add(i, sequence, n, false)
					}
				}
			}
			out := trendsOf(t, c, Selection{})
			if got := out.row("B", "allocs/op"); got == nil || len(got.Suspects) != 0 || got.Medians[7] != 3 {
				t.Errorf("allocs/op: %+v", got)
			}
			row := out.row("B", "B/op")
			suspects := row.Suspects
			if test.noisy {
				suspects = large(row)
			}
			var at []int
			for _, s := range suspects {
				at = append(at, s.At)
			}
			want := []int{20}
			if !test.anchor {
				want[0]-- // commit 0 was not measured
			}
			if test.step == 0 {
				want = nil
			}
			if !slices.Equal(at, want) {
				t.Errorf("suspects at %v, want %v: %v", at, want, row.Medians)
			}
		})
	}
}
