package historyrun

import (
	"context"
	"math"
	"time"

	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/measure/bisectrun"
	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/history/trend"
)

// margin is how many measured commits lie between a suspect and the commits that are compared: the place of a suspect is not
// exact.
const margin = 3

// Asked is a suspect that is to be measured again.
type Asked struct {
	Row           *trend.Row
	Suspect       trend.Suspect
	Before, After trend.Commit // that are compared
}

// ToConfirm returns at most most suspects of trends that were neither confirmed nor refuted, the largest change first. It
// leaves out suspects that all benchmarks share.
func ToConfirm(t *trend.Trends, most int) []Asked {
	var out []Asked
	for _, r := range t.Rows {
		for _, s := range r.Suspects {
			if s.State == history.Confirmed || s.State == history.Refuted {
				continue
			}
			out = append(out, Asked{r, s, t.Points[measuredNear(r, s.At-1, -1)], t.Points[measuredNear(r, s.At, 1)]})
		}
	}
	sortBySize(out)
	return out[:min(len(out), most)]
}

// measuredNear returns the point margin points behind i in a direction, or the last one there that has values.
func measuredNear(r *trend.Row, i, direction int) int {
	best := i
	for n := 0; n <= margin && i >= 0 && i < len(r.Medians); n++ {
		if !math.IsNaN(r.Medians[i]) {
			best = i
		}
		i += direction
	}
	return max(best, 0)
}

func sortBySize(all []Asked) {
	size := func(a Asked) float64 { return math.Abs(math.Log(a.Suspect.Ratio)) }
	for i := range all { // there are few
		for k := i; k > 0 && size(all[k]) > size(all[k-1]); k-- {
			all[k], all[k-1] = all[k-1], all[k]
		}
	}
}

// Confirm measures suspects again, interleaved, and adds what it came to to the store. It returns a verdict for each that was
// measured, in order; nil for one that could not be, whose reason is noted.
func Confirm(ctx context.Context, c benchrun.Config, asked []Asked, t *trend.Trends, store history.Store) ([]*history.Verdict, error) {
	var suspects []bisectrun.Suspect
	for _, a := range asked {
		suspects = append(suspects, bisectrun.Suspect{Old: a.Before.Hash, New: a.After.Hash, Pkg: a.Row.Pkg, Name: a.Row.Name, Metric: a.Row.Unit})
	}
	confirmed, err := bisectrun.Confirm(ctx, c, suspects)
	var out []*history.Verdict
	var entries []*history.Entry
	for i, x := range confirmed {
		if x.Failed != "" || x.State == "" {
			c.Progress.Note("%s cannot be measured again: %s", x.Name, x.Failed)
			out = append(out, nil)
			continue
		}
		a := asked[i]
		v := history.Verdict{Key: a.Row.Key, Unit: a.Row.Unit, Before: x.Old, After: x.New, State: string(x.State), Ratio: finite(x.Ratio), Lo: finite(x.Lo), Hi: finite(x.Hi), Forks: x.Forks}
		out = append(out, &v)
		entries = append(entries, verdictEntry(t, a.After, v))
	}
	if _, e := store.Add(context.WithoutCancel(ctx), entries); err == nil {
		err = e
	}
	return out, err
}

// verdictEntry returns an entry with a verdict, of the machine whose series it is about.
func verdictEntry(t *trend.Trends, c trend.Commit, v history.Verdict) *history.Entry {
	return &history.Entry{
		Commit: c.Hash, Tree: c.Tree, Time: time.Now().UTC(), Machine: t.Machine, Described: t.Described, Toolchain: t.Toolchain, Verdicts: []history.Verdict{v},
	}
}

// finite returns a bound that JSON can hold; 0 where there are too few forks for one.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}
