package histfiles

import (
	"fmt"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result/latencies"
)

// Distributions reads all files. It returns one distribution for each tag of each file,
// in the order in which they occur. Each has the waits of operations of its kind that were never answered.
func (in *Input) Distributions() ([]*latencies.Distribution, error) {
	var all []*latencies.Distribution
	at := map[tagKey]*latencies.Distribution{}
	waits := make([]latencies.Waits, len(in.Files)) // of all tags: those that were not selected may have them
	in.unselected = func(src *source, i hist.Interval) error { return waits[src.number].Add(i) }
	defer func() { in.unselected = nil }()
	err := in.each(func(src *source, i hist.Interval) error {
		if err := waits[src.number].Add(i); err != nil {
			return exit.Failed(fmt.Errorf("%s: %s: %w", src.name, latencies.TagName(i.Tag), err), "")
		}
		k := tagKey{src.number, i.Tag}
		d := at[k]
		if d == nil {
			d = &latencies.Distribution{Source: src.of(i.Tag)}
			at[k] = d
			all = append(all, d)
		}
		if err := d.Merge(i, src.start()); err != nil {
			return exit.Failed(err, "")
		}
		return nil
	})
	for _, d := range all {
		d.Waits = waits[d.Number].Of(d.Tag)
	}
	return all, err
}

// tagKey is one tag of one file.
type tagKey struct {
	file int
	tag  string
}

// Correct returns the distributions and, after each, an estimate of what it would be
// without coordinated omission, for a loop that sends every expected. Distributions that
// count from the due time need no correction. It is an error if there is no other, or if
// expected is 0 or makes the histogram too large.
func Correct(all []*latencies.Distribution, expected time.Duration) ([]*latencies.Distribution, error) {
	var out []*latencies.Distribution
	for _, d := range all {
		out = append(out, d)
		if d.CountsFromDue() {
			continue
		}
		h, err := d.Histogram.Correct(int64(expected) / d.Unit)
		if err != nil {
			return nil, exit.Failed(fmt.Errorf("%s: %s: %w", d.File, latencies.TagName(d.Tag), err), "give a longer --correct")
		}
		c := *d
		c.Histogram, c.Corrected = h, expected
		out = append(out, &c)
	}
	if len(out) == len(all) {
		return nil, exit.Usage(fmt.Errorf("--correct: the latencies of %s count from the time at which operations were due: nothing has to be corrected", all[0].Tag), "")
	}
	return out, nil
}
