package sample

import (
	"encoding/json"
	"fmt"

	"github.com/tarebench/tare/prof"
	"github.com/tarebench/tare/record"
)

// weigh makes a result of what a process has seen of itself, in windows or in all of
// its life. of are the frames of one of its stacks, innermost first.
func weigh(s *seen, of func(int) []frame, how record.Sampled, windows []prof.Window) (*Result, error) {
	stacks := make([][]frame, len(s.stacks))
	frames := func(k key) []frame {
		if stacks[k.stack] == nil {
			stacks[k.stack] = of(k.stack)
			if len(stacks[k.stack]) == 0 {
				stacks[k.stack] = []frame{{name: "(unknown)"}}
			}
		}
		return trim(stacks[k.stack], k.state)
	}
	t := &tally{
		windows: windows, found: map[key]*found{},
		of: func(k key) int64 {
			if f := frames(k); !s.stacks[k.stack].cut && ofRuntime(f) {
				return 0
			}
			return 1
		},
		alike: func(a, b key) bool { return alike(frames(a), frames(b)) },
	}
	t.follow(s)
	t.hits(s)
	b := newBuilder(how.Types())
	for _, k := range t.keys() {
		f := t.found[k]
		values := []int64{f.n, int64(f.time + 0.5)}
		if how.Mode == record.SampledWall {
			values = append(values, int64(f.twice+0.5))
		}
		if values[0] != 0 || values[1] != 0 {
			b.add(frames(k), s.labels(how.Mode, k.state), values)
		}
	}
	p, err := b.done(how.Interval)
	if err != nil {
		return nil, err
	}
	t.tell(s, &how)
	return &Result{How: how, Profile: p}, nil
}

// weighPCs is weigh for stacks of addresses.
func weighPCs(s *seen, sym *symbols, how record.Sampled, windows []prof.Window) (*Result, error) {
	if err := sym.moved(s.anchor); err != nil {
		return nil, err
	}
	return weigh(s, func(i int) []frame { return sym.of(s.stacks[i]) }, how, windows)
}

// tell says how the looks were taken.
func (t *tally) tell(s *seen, how *record.Sampled) {
	how.Looks, how.Skipped, how.Goroutines, how.Wall, how.Lost = t.looks, t.skipped, t.goroutines, t.wall, s.lost
	if s.full {
		how.Lost++
	}
	if how.Mode == record.SampledCPU {
		return
	}
	if t.gaps > 0 {
		how.Achieved = float64(t.wall) / float64(t.gaps)
	}
	if t.looks > 0 {
		how.Look, how.LongLook = float64(t.took)/float64(t.looks), t.longest
	}
	if t.wall > 0 {
		how.Cost = float64(t.took) / float64(t.wall)
	}
}

// alike reports whether two stacks are in the same function, called by the same one.
func alike(a, b []frame) bool {
	n := min(len(a), len(b), 2)
	if n < 2 && len(a) != len(b) {
		return false
	}
	for i := range n {
		if a[i].name != b[i].name {
			return false
		}
	}
	return true
}

func encode(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	return text, nil
}
