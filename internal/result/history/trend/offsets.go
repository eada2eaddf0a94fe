package trend

import (
	"math"

	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// sittingOffsets are by how much a row was slower or faster in a sitting, by the commit that was measured in all of them.
type sittingOffsets map[string]map[rowKey]float64 // as differences of logarithms

// offsets compares the anchor's values of each sitting with those of all sittings. An offset within twice its standard error is
// noise, and subtracting noise would make steps.
func offsets(entries []placed) sittingOffsets {
	type anchored struct {
		sitting string
		values  history.Values
	}
	anchors := map[rowKey][]anchored{}
	commit := anchorOf(entries)
	for _, e := range entries {
		if !e.Anchor || e.Commit != commit {
			continue
		}
		for i := range e.Series {
			if s := &e.Series[i]; record.IsTime(s.Unit) || record.IsRate(s.Unit) {
				key := rowKey{s.Key, s.Unit}
				anchors[key] = append(anchors[key], anchored{e.Sitting, s.Values})
			}
		}
	}
	out := sittingOffsets{}
	for key, all := range anchors {
		if len(all) < 2 {
			continue
		}
		var centres []float64
		for _, a := range all {
			centres = append(centres, math.Log(stat.Median(a.values)))
		}
		centre := stat.Median(centres)
		for i, a := range all {
			sd := stat.RobustCV(a.values) * math.Sqrt(math.Pi/2/float64(len(a.values)))
			if d := centres[i] - centre; math.Abs(d) > 2*sd && !math.IsInf(d, 0) {
				if out[a.sitting] == nil {
					out[a.sitting] = map[rowKey]float64{}
				}
				out[a.sitting][key] = d
			}
		}
	}
	return out
}

// anchorOf returns the commit that is the anchor of most sittings; "" if there is none.
func anchorOf(entries []placed) (commit string) {
	sittings := map[string]int{}
	for _, e := range entries {
		if e.Anchor {
			sittings[e.Commit]++
		}
	}
	for c, n := range sittings {
		if most := sittings[commit]; n > most || n == most && c < commit {
			commit = c
		}
	}
	return commit
}

// factor returns by what the values of a sitting are multiplied.
func (o sittingOffsets) factor(sitting string, key rowKey) float64 { return math.Exp(-o[sitting][key]) }
