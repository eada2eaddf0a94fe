package loadrun

import (
	"testing"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// stalling is a database with these stalls.
type stalling struct {
	kv.DB
	all []kv.Stall
}

func (s stalling) Stalls(from, to int64) (out []kv.Stall) {
	for _, x := range s.all {
		if x.Start < to && x.Start+x.Length > from {
			out = append(out, x)
		}
	}
	return out
}

// TestStallWriter: each stall is written once, when it is over, and at the end of the phase also one that goes on.
func TestStallWriter(t *testing.T) {
	var starts []int64
	w := &stallWriter{of: stalling{all: []kv.Stall{{Start: 80, Length: 10}, {Start: 95, Length: 10}, {Start: 120, Length: 70}, {Start: 290, Length: 50}, {Start: 400, Length: 5}}}, by: "mock", write: func(l record.Line) error {
		starts = append(starts, l.(*record.Stall).Start)
		return nil
	}}
	for n, want := range []int{1, 2, 2} {
		w.interval(&load.Interval{Load: record.Load{Start: 100 + int64(n)*50, Length: 50}})
		if len(starts) != want {
			t.Errorf("after interval %d: %v", n+1, starts)
		}
	}
	w.interval(&load.Interval{Load: record.Load{Start: 100, Length: 200, Final: true}})
	if len(starts) != 3 || starts[0] != 95 || starts[2] != 290 {
		t.Errorf("%v", starts)
	}
	(*stallWriter)(nil).interval(&load.Interval{})
}
