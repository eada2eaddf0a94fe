package trend

import (
	"math"

	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// sequenceOffsets are by how much a row was slower or faster in a sequence, judged by the commit that was measured in all.
type sequenceOffsets map[string]map[rowKey]float64 // as differences of logarithms

// offsets compares the anchor's values of each sequence with those of all sequences. An offset within twice its standard
// error is noise. Subtracting it would add steps.
func offsets(entries []placed) sequenceOffsets {
	type anchored struct {
		sequence string
		values   history.Values
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
				anchors[key] = append(anchors[key], anchored{e.Sequence, s.Values})
			}
		}
	}
	out := sequenceOffsets{}
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
				if out[a.sequence] == nil {
					out[a.sequence] = map[rowKey]float64{}
				}
				out[a.sequence][key] = d
			}
		}
	}
	return out
}

// anchorOf returns the commit that is the anchor of most sequences; "" if there is none.
func anchorOf(entries []placed) (commit string) {
	sequences := map[string]int{}
	for _, e := range entries {
		if e.Anchor {
			sequences[e.Commit]++
		}
	}
	for c, n := range sequences {
		if most := sequences[commit]; n > most || n == most && c < commit {
			commit = c
		}
	}
	return commit
}

// factor returns the factor by which the values of a sequence are multiplied.
func (o sequenceOffsets) factor(sequence string, key rowKey) float64 {
	return math.Exp(-o[sequence][key])
}
