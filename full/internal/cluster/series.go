package cluster

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// series are histograms by kind and tag.
type series map[seriesKey]*hist.Histogram

type seriesKey struct{ kind, tag string }

// add adds counts, and returns how many values they have.
func (s series) add(c *counts) (int64, error) {
	key := seriesKey{c.Kind, c.Tag}
	h := s[key]
	if h == nil {
		h = &hist.Histogram{}
	}
	n := h.Count()
	if err := h.AddCounts(c.Data); err != nil {
		return 0, err
	}
	s[key] = h
	return h.Count() - n, nil
}

// merge adds another's histograms.
func (s series) merge(from series) error {
	for key, h := range from {
		if s[key] == nil {
			s[key] = &hist.Histogram{}
		}
		if err := s[key].Merge(h); err != nil {
			return err
		}
	}
	return nil
}

// sorted returns the keys in the order of kinds, and of tags as the engine has them.
func (s series) sorted(kinds []string) []seriesKey {
	tags := []string{record.TagResponse, record.TagService, record.TagLateness, record.TagFailed, record.TagUnanswered, record.TagUnansweredService}
	place := func(list []string, x string) int {
		if i := slices.Index(list, x); i >= 0 {
			return i
		}
		return len(list)
	}
	return slices.SortedFunc(maps.Keys(s), func(a, b seriesKey) int {
		return cmp.Or(place(kinds, a.kind)-place(kinds, b.kind), cmp.Compare(a.kind, b.kind), place(tags, a.tag)-place(tags, b.tag), cmp.Compare(a.tag, b.tag))
	})
}

// latencies returns those that have values.
func (s series) latencies(kinds []string) (all []load.Latency) {
	for _, key := range s.sorted(kinds) {
		if h := s[key]; h.Count() > 0 {
			all = append(all, load.Latency{Kind: key.kind, Tag: key.tag, Hist: h})
		}
	}
	return all
}
