package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/hist"
)

const histMergeLong = `tare hist merge makes one log of several: of the clients of one run, of parts that
were cut, of runs that belong together. Tags stay apart.

Intervals of the same tag become one if they are of the same time: if the middle of
one lies within another, which began no later. So the seconds of several clients
become seconds again, though no two clocks tick together, and intervals that follow
each other stay. With --total everything of a tag becomes one interval.

Each value is counted once, whatever the order of the files.`

// mergeFlags are the flags of tare hist merge.
type mergeFlags struct {
	input inputFlags
	total bool
	out   string
}

func newHistMerge(s streams) *cobra.Command {
	f := &mergeFlags{}
	cmd := &cobra.Command{
		Use:   "merge [flags] FILE...",
		Short: "Make one log of several",
		Long:  histMergeLong,
		Example: `  tare hist merge -o all.hlog client1.hlog client2.hlog
  tare hist merge --total --tag READ.response *.hlog | tare hist convert --to hgrm -`,
		Args: needHistFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := f.input.open(s, args)
			if err != nil {
				return err
			}
			return histOutput(s, f.out, args, func(w io.Writer) error { return f.merge(in, w) })
		},
	}
	fl := cmd.Flags()
	fl.SortFlags = false
	f.input.register(fl)
	fl.BoolVar(&f.total, "total", false, "one interval for each tag, over the whole time")
	oneOutput(fl, &f.out, "write to `FILE` instead of stdout")
	return cmd
}

// merge writes the log of all files.
func (f *mergeFlags) merge(in *input, w io.Writer) error {
	queue, err := newMergeQueue(in)
	if err != nil {
		return err
	}
	defer queue.close()
	start := queue.start()
	o := &logOutput{out: w, comment: "merged by tare hist from " + strings.Join(in.files, " "), start: func() time.Time { return start }}
	m := &merger{total: f.total, write: o.write}
	for {
		i, err := queue.next()
		if err == io.EOF {
			return m.flush(func(*merging) bool { return true })
		}
		if err == nil {
			err = m.add(i)
		}
		if err != nil {
			return err
		}
	}
}

// mergeQueue gives the intervals of several files in the order of their starts, as
// far as each file has them so.
type mergeQueue struct {
	in    *input
	heads []*mergeHead
}

// mergeHead is a file and its next interval.
type mergeHead struct {
	src  *histSource
	next hist.Interval
}

func newMergeQueue(in *input) (*mergeQueue, error) {
	q := &mergeQueue{in: in}
	for n := range in.files {
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

// start is the earliest start of a file that has something.
func (q *mergeQueue) start() (t time.Time) {
	for n, h := range q.heads {
		if s := h.src.start(); n == 0 || s.Before(t) {
			t = s
		}
	}
	return t
}

// advance reads the next interval of a file, which leaves the queue at its end.
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
	open  []*merging // one of each tag at most, in the order of their beginning
}

// merging is an interval that others may still be merged into.
type merging struct {
	hist.Interval
	from, until time.Time // of the interval that began it
}

func (m *merger) add(i hist.Interval) error {
	n := slices.IndexFunc(m.open, func(t *merging) bool { return t.Tag == i.Tag })
	if n >= 0 && (m.total || m.open[n].takes(i)) {
		return m.open[n].merge(i)
	}
	err := m.flush(func(t *merging) bool { return !m.total && (t.Tag == i.Tag || !t.until.After(i.Start)) })
	m.open = append(m.open, newMerging(i))
	return err
}

func newMerging(i hist.Interval) *merging {
	return &merging{Interval: i, from: i.Start, until: i.Start.Add(max(i.Length, 1))}
}

// takes reports whether an interval is of the same time.
func (t *merging) takes(i hist.Interval) bool {
	middle := i.Start.Add(i.Length / 2)
	return !middle.Before(t.from) && middle.Before(t.until)
}

func (t *merging) merge(i hist.Interval) error {
	if err := t.Histogram.Merge(i.Histogram); err != nil {
		return failed(fmt.Errorf("%s: %w", tagName(t.Tag), err), "")
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

// flush writes those that are done, in the order of their starts.
func (m *merger) flush(done func(*merging) bool) error {
	var ready []*merging
	m.open = slices.DeleteFunc(m.open, func(t *merging) bool {
		if done(t) {
			ready = append(ready, t)
			return true
		}
		return false
	})
	slices.SortStableFunc(ready, func(a, b *merging) int { return cmp.Compare(a.Start.Sub(b.Start), 0) })
	for _, t := range ready {
		if err := m.write(t.Interval); err != nil {
			return err
		}
	}
	return nil
}
