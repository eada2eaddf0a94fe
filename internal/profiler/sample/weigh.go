package sample

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/timerlog"
	"github.com/tarebench/tare/record"
)

// weigh makes a result of the samples of a process that fall into certain spans of time; nil: all of them. of
// returns the frames of one of its stacks, innermost first.
func weigh(s *seen, of func(int) []frame, how record.Sampled, ran []timerlog.Span) (*Result, error) {
	stacks := make([][]frame, len(s.stacks))
	frames := func(k key) []frame {
		if stacks[k.stack] == nil {
			stacks[k.stack] = whole(of(k.stack), s.stacks[k.stack].cut)
		}
		if s.stacks[k.stack].moved {
			return trim(stacks[k.stack], inWaiting)
		}
		return trim(stacks[k.stack], k.state)
	}
	t := &tally{
		ran: ran, found: map[key]*found{}, lateBy: how.Interval / lateShare,
		of: func(k key) int64 {
			if ran != nil && awaits(frames(k), k.state) {
				return 0
			}
			return 1
		},
		alike: func(a, b key) bool { return alike(frames(a), frames(b)) },
	}
	if how.Mode == record.SampledWall {
		t.moments = newMoments(func(k key) []string { return namesOf(frames(k)) })
	}
	t.follow(s)
	t.hits(s, how.CPU)
	b := newBuilder(how.Types())
	var all, cut float64
	for _, k := range t.keys() {
		f := t.found[k]
		if all += f.time; s.stacks[k.stack].cut {
			cut += f.time
		}
		values := []int64{f.n, int64(f.time + 0.5)}
		if how.Mode == record.SampledWall {
			values = append(values, int64(f.twice+0.5))
		}
		if values[0] != 0 || values[1] != 0 {
			b.add(frames(k), s.labels(how.Mode, k.state), values)
		}
	}
	t.tell(s, &how)
	if cut > 0 {
		how.Cut = cut / all
	}
	p, err := b.done(&how)
	if err != nil {
		return nil, err
	}
	return &Result{How: how, Profile: p}, nil
}

// weighPCs is weigh for stacks of addresses.
func weighPCs(s *seen, sym *symbols, how record.Sampled, ran []timerlog.Span) (*Result, error) {
	if err := sym.moved(s.anchor); err != nil {
		return nil, err
	}
	return weigh(s, func(i int) []frame { return sym.of(s.stacks[i]) }, how, ran)
}

// lateShare is the part of the interval after which a sample is late.
const lateShare = 10

// tell fills in how the samples were taken.
func (t *tally) tell(s *seen, how *record.Sampled) {
	how.Looks, how.Goroutines, how.Wall, how.Lost = t.looks, t.goroutines, t.wall, s.lost
	how.Skipped, how.Spared, how.Late = t.skipped, t.spared, t.late
	if s.full {
		how.Unseen = t.unseen(s)
	}
	if how.Mode == record.SampledCPU {
		how.Achieved = t.achieved
		if s.cpu > 0 && t.ran == nil {
			how.CPU = s.cpu
		}
		return
	}
	how.Draws = t.draws()
	how.Errors = t.moments.errors()
	how.Achieved = t.mean()
	if t.looks > 0 {
		how.Look, how.LongLook = float64(t.took)/float64(t.looks), t.longest
	}
	if t.wall > 0 {
		how.Cost = float64(t.took) / float64(t.wall)
	}
}

// unseen returns the time after the last sample if the room was full, at least 1 ns.
func (t *tally) unseen(s *seen) int64 {
	last, end := s.start, s.end
	if n := len(s.looks); n > 0 {
		last = s.looks[n-1].at
	}
	if n := len(s.hits); n > 0 {
		last = s.hits[n-1].at
	}
	if n := len(t.ran); n > 0 {
		end = t.ran[n-1].End
	}
	return t.overlap(last, max(end, last+1))
}

// nowhere stands for the function of goroutines whose stack is unknown.
const nowhere = "(unknown)"

// whole returns the frames of a stack, at least one. A pseudo-function stands for missing outer frames.
func whole(frames []frame, cut bool) []frame {
	if len(frames) == 0 {
		frames = []frame{{name: nowhere}}
	}
	if cut {
		frames = append(frames, frame{name: "(cut)"})
	}
	return frames
}

// awaits reports whether a stack is that of package testing waiting for the benchmark.
func awaits(frames []frame, state uint64) bool {
	return state >= inWaiting && strings.HasPrefix(frames[0].name, "testing.")
}

func namesOf(frames []frame) []string {
	out := make([]string, len(frames))
	for i, f := range frames {
		out[i] = f.name
	}
	return out
}

// alike reports whether two stacks are in the same function with the same caller.
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
