package sample

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/profile/timerlog"
	"github.com/tarebench/tare/record"
)

// buildResult returns the result of the samples in the spans ran; nil means all. of returns the frames of a stack,
// innermost first.
func buildResult(s *fileContent, of func(int) []frame, how record.Sampled, ran []timerlog.Span) (*Result, error) {
	stacks := make([][]frame, len(s.stacks))
	frames := func(k key) []frame {
		if stacks[k.stack] == nil {
			stacks[k.stack] = withPlaceholders(of(k.stack), s.stacks[k.stack].cut)
		}
		if s.stacks[k.stack].moved {
			return trim(stacks[k.stack], inWaiting)
		}
		return trim(stacks[k.stack], k.state)
	}
	t := &tally{
		ran: ran, found: map[key]*found{}, lateBy: how.Interval / lateShare,
		of: func(k key) int64 {
			if ran != nil && isTestingWait(frames(k), k.state) {
				return 0
			}
			return 1
		},
		alike: func(a, b key) bool { return alike(frames(a), frames(b)) },
	}
	if how.Mode == record.SampledWall {
		names := func(k key) []string { return namesOf(frames(k)) }
		t.moments, t.running = newMoments(names), newMoments(names)
	}
	t.follow(s)
	t.countCPU(s, how.CPU)
	b := newBuilder(how.Types())
	var all, cut, running float64
	for _, k := range t.keys() {
		f := t.found[k]
		if k.state == inRunning {
			running += f.time
		}
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
	t.describe(s, &how)
	if ran == nil && how.Mode == record.SampledWall {
		how.Running = int64(running + 0.5)
	}
	if cut > 0 {
		how.Cut = cut / all
	}
	p, err := b.done(&how)
	if err != nil {
		return nil, err
	}
	return &Result{How: how, Profile: p}, nil
}

// resultFromPCs is weigh for stacks of addresses.
func resultFromPCs(s *fileContent, sym *symbols, how record.Sampled, ran []timerlog.Span) (*Result, error) {
	if err := sym.setBias(s.anchor); err != nil {
		return nil, err
	}
	return buildResult(s, func(i int) []frame { return sym.frames(s.stacks[i]) }, how, ran)
}

// lateShare: a sample is late if its delay exceeds 1/lateShare of the interval.
const lateShare = 10

// describe sets the description of how the samples were taken.
func (t *tally) describe(s *fileContent, how *record.Sampled) {
	how.Samples, how.Goroutines, how.Wall, how.Lost = t.samples, t.goroutines, t.wall, s.lost
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
	how.EffectiveSamples = t.effectiveSamples()
	how.Errors, how.RunningErrors = t.moments.errors(), t.running.errors()
	how.Achieved = t.mean()
	if t.samples > 0 {
		how.SampleCost, how.MaxSampleCost = float64(t.took)/float64(t.samples), t.longest
	}
	if t.wall > 0 {
		how.Cost = float64(t.took) / float64(t.wall)
	}
}

// unseen returns the time after the last sample of a full room, at least 1 ns.
func (t *tally) unseen(s *fileContent) int64 {
	last, end := s.start, s.end
	if n := len(s.samples); n > 0 {
		last = s.samples[n-1].at
	}
	if n := len(s.cpuSamples); n > 0 {
		last = s.cpuSamples[n-1].at
	}
	if n := len(t.ran); n > 0 {
		end = t.ran[n-1].End
	}
	return t.overlap(last, max(end, last+1))
}

// unknownFunction is the function of goroutines with an unknown stack.
const unknownFunction = "(unknown)"

// withPlaceholders returns the frames of a stack, at least one. A pseudo-function replaces missing outer frames.
func withPlaceholders(frames []frame, cut bool) []frame {
	if len(frames) == 0 {
		frames = []frame{{name: unknownFunction}}
	}
	if cut {
		frames = append(frames, frame{name: "(cut)"})
	}
	return frames
}

// isTestingWait reports whether a stack is package testing waiting for the benchmark.
func isTestingWait(frames []frame, state uint64) bool {
	return state >= inWaiting && strings.HasPrefix(frames[0].name, "testing.")
}

func namesOf(frames []frame) []string {
	out := make([]string, len(frames))
	for i, f := range frames {
		out[i] = f.name
	}
	return out
}

// alike reports whether two stacks have the same function and caller.
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
