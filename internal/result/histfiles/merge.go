package histfiles

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result/latencies"
)

// Merge writes one log of all files. Intervals of the same tag and the same time become
// one; with total all intervals of a tag do.
func (in *Input) Merge(w io.Writer, total bool) error {
	queue, err := newMergeQueue(in)
	if err != nil {
		return err
	}
	defer queue.close()
	start := queue.start()
	o := &logOutput{out: w, comment: "merged by tare hist from " + strings.Join(in.Files, " "), start: func() time.Time { return start }}
	m := &merger{total: total, write: o.write}
	for {
		i, err := queue.next()
		if err == io.EOF {
			return m.flush(func(*openInterval) bool { return true })
		}
		if err == nil {
			err = m.add(i)
		}
		if err != nil {
			return err
		}
	}
}

// mergeQueue returns the intervals of several files in the order of their starts, if
// each file has them in that order.
type mergeQueue struct {
	in    *Input
	heads []*mergeHead
}

// mergeHead is a file and its next interval.
type mergeHead struct {
	src  *source
	next hist.Interval
}

func newMergeQueue(in *Input) (*mergeQueue, error) {
	q := &mergeQueue{in: in}
	for n := range in.Files {
		src, err := in.source(n)
		if err != nil {
			q.close()
			return nil, err
		}
		h := &mergeHead{src: src}
		q.heads = append(q.heads, h)
		if err := q.advance(h); err != nil {
			q.close()
			return nil, err
		}
	}
	return q, nil
}

// start returns the earliest start of the files that have intervals.
func (q *mergeQueue) start() (t time.Time) {
	for n, h := range q.heads {
		if s := h.src.start(); n == 0 || s.Before(t) {
			t = s
		}
	}
	return t
}

// advance reads the next interval of a file. At its end the file leaves the queue.
func (q *mergeQueue) advance(h *mergeHead) (err error) {
	h.next, err = h.src.next()
	if err == io.EOF {
		q.heads = slices.DeleteFunc(q.heads, func(x *mergeHead) bool { return x == h })
		return nil
	}
	return err
}

func (q *mergeQueue) next() (hist.Interval, error) {
	if len(q.heads) == 0 {
		return hist.Interval{}, q.in.end()
	}
	h := slices.MinFunc(q.heads, func(a, b *mergeHead) int { return a.next.Start.Compare(b.next.Start) })
	i := h.next
	return i, q.advance(h)
}

func (q *mergeQueue) close() {
	for _, h := range q.heads {
		h.src.close()
	}
}

// merger merges intervals of the same tag and time.
type merger struct {
	total bool
	write func(hist.Interval) error
	open  []*openInterval // at most one of each tag, in the order of their first intervals
}

// openInterval is an interval into which others may still be merged.
type openInterval struct {
	hist.Interval
	from, until time.Time // of its first interval
}

func (m *merger) add(i hist.Interval) error {
	n := slices.IndexFunc(m.open, func(t *openInterval) bool { return t.Tag == i.Tag })
	if n >= 0 && (m.total || m.open[n].takes(i)) {
		return m.open[n].merge(i)
	}
	err := m.flush(func(t *openInterval) bool { return !m.total && (t.Tag == i.Tag || !t.until.After(i.Start)) })
	m.open = append(m.open, newOpenInterval(i))
	return err
}

func newOpenInterval(i hist.Interval) *openInterval {
	return &openInterval{Interval: i, from: i.Start, until: i.Start.Add(max(i.Length, 1))}
}

// takes reports whether the middle of an interval lies within the first interval.
func (t *openInterval) takes(i hist.Interval) bool {
	middle := i.Start.Add(i.Length / 2)
	return !middle.Before(t.from) && middle.Before(t.until)
}

func (t *openInterval) merge(i hist.Interval) error {
	if err := t.Histogram.Merge(i.Histogram); err != nil {
		return exit.Failed(fmt.Errorf("%s: %w", latencies.TagName(t.Tag), err), "")
	}
	end := t.Start.Add(t.Length)
	if e := i.Start.Add(i.Length); e.After(end) {
		end = e
	}
	if i.Start.Before(t.Start) {
		t.Start = i.Start
	}
	t.Length = end.Sub(t.Start)
	t.Max = max(t.Max, i.Max)
	return nil
}

// flush writes the intervals that are done, in the order of their starts.
func (m *merger) flush(done func(*openInterval) bool) error {
	var ready []*openInterval
	m.open = slices.DeleteFunc(m.open, func(t *openInterval) bool {
		if done(t) {
			ready = append(ready, t)
			return true
		}
		return false
	})
	slices.SortStableFunc(ready, func(a, b *openInterval) int { return cmp.Compare(a.Start.Sub(b.Start), 0) })
	for _, t := range ready {
		if err := m.write(t.Interval); err != nil {
			return err
		}
	}
	return nil
}
