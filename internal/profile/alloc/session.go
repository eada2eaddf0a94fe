package alloc

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// The units of the figures.
const (
	UnitObjects     = "alloc-objects/op"
	UnitBytes       = "alloc-B/op"
	UnitRestObjects = "alloc-rest-objects/op"
	UnitRestBytes   = "alloc-rest-B/op"
)

// The difference of two windows needs leastGrowth times as many operations in the larger one, and leastMore operations more.
// Otherwise the few objects that a run allocates by chance would be a large part of it.
const (
	leastGrowth = 2
	leastMore   = 30
)

// session is one fork. The counts of iteration N are DIR/N.json.
type session struct{ dir *tempdir.Place }

// End reads the counts of the first and the last window. The figures belong to the last one.
func (s *session) End(windows []profiler.Window) (r profiler.Result, err error) {
	defer func() { err = errors.Join(err, s.dir.Remove()) }()
	if len(windows) == 0 {
		return r, nil
	}
	a, profile, err := s.read(windows)
	if err != nil {
		return r, err
	}
	data, err := json.Marshal(a)
	if err != nil {
		return r, err
	}
	r.Values = make([]record.Values, len(windows))
	r.Values[len(windows)-1] = values(a)
	r.Lines = []record.Line{
		&record.Attach{Iter: windows[len(windows)-1].Iter, Name: record.AttachAllocs, Media: "application/json", Data: data},
		&record.Attach{Iter: windows[len(windows)-1].Iter, Name: record.AttachAllocsProfile, Media: "application/gzip", Data: profile},
	}
	return r, nil
}

// read returns the counts of the windows, and the profile of the last one.
func (s *session) read(windows []profiler.Window) (*record.Allocs, []byte, error) {
	first, last := windows[0], windows[len(windows)-1]
	if last.Ops < 1 {
		return nil, nil, fmt.Errorf("the window of iteration %d is empty", last.Iter)
	}
	hi, err := readCounts(s.dir.Path, last.Iter)
	if err != nil {
		return nil, nil, err
	}
	profile, err := hi.pprof()
	if err != nil {
		return nil, nil, err
	}
	if first.Ops < 1 || last.Ops < leastGrowth*first.Ops || last.Ops < first.Ops+leastMore {
		return allocs(hi, nil, last.Ops), profile, nil
	}
	lo, err := readCounts(s.dir.Path, first.Iter)
	if err != nil {
		return nil, nil, err
	}
	return allocs(hi, lo, last.Ops-first.Ops), profile, nil
}

// values returns the figures: what the sites have, and the rest.
func values(a *record.Allocs) record.Values {
	per := func(n int64) float64 { return float64(n) / float64(a.Ops) }
	return record.Values{
		{Unit: UnitObjects, Value: per(a.Objects - a.Unseen.Objects)},
		{Unit: UnitBytes, Value: per(a.Bytes - a.Unseen.Bytes)},
		{Unit: UnitRestObjects, Value: per(a.Unseen.Objects)},
		{Unit: UnitRestBytes, Value: per(a.Unseen.Bytes)},
	}
}
