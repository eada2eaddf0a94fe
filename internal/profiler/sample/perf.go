package sample

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/perfevent"
	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
)

// PerfCommand runs any command, and has the kernel sample its threads, and those of the processes that it
// starts, every Config.Interval of their CPU time. If ctx ends first, the command is killed, and Run.Ended
// says why. The error wraps that of perfevent.Probe if the kernel does not support it, and is spawn.ErrHold
// if a process cannot be held before its first instruction.
func PerfCommand(ctx context.Context, l *spawn.Launcher, spec spawn.Spec, c Config) (*Run, error) {
	c, err := c.prepared()
	if err != nil {
		return nil, err
	}
	events := perfevent.Config{Frequency: rate(c.Interval), Stacks: true}
	if _, _, err := perfevent.AvailableEvents(events); err != nil {
		return nil, fmt.Errorf("sample: CPU time of any command: %w", err)
	}
	spec.Hold = true
	child, err := l.Spawn(ctx, spec)
	if err != nil {
		return nil, err
	}
	s, err := perfevent.Open(child.Pid(), events)
	if err != nil {
		child.Kill()
		child.Wait()
		return nil, fmt.Errorf("sample: %w", err)
	}
	if err := child.Release(); err != nil {
		child.Kill()
	}
	run := &Run{}
	run.Process, run.Ended = child.Wait()
	samples, err := s.Close()
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	run.Result, err = stacks(samples, c, filepath.Base(spec.Path), run.Process.User)
	if err != nil {
		return nil, err
	}
	run.How.Wall = int64(run.Process.Wall())
	return run, nil
}

// stacks makes a result of the kernel's samples of a program that used so much CPU time in user mode.
func stacks(s *perfevent.Samples, c Config, name string, user time.Duration) (res *Result, err error) {
	e := s.Events[0]
	how := record.Sampled{
		Program: name, Mode: record.SampledCPU, Source: record.SampledPerf, Passed: s.Rejected, Window: record.AsmWhole, Interval: int64(c.Interval),
		Looks: int64(len(s.List)), Lost: s.Lost, CPU: int64(s.CPU),
		Blind: []string{"threads that wait", "the caller of a function without a frame of its own, as small ones that call nothing: its caller's caller stands in its place"},
	}
	period := float64(e.Period)
	if cpu := sampled(s, user); how.Looks > 0 && cpu > 0 {
		how.Achieved = float64(cpu) / float64(how.Looks)
		period = how.Achieved // which may be more than was asked, or no clock's
	}
	if cost, err := perfevent.Cost(e.Name); err == nil && s.CPU > 0 {
		how.Look, how.Cost = float64(cost), float64(cost)*float64(how.Looks)/float64(s.CPU)
	}
	files := images{maps: map[int32][]*perfevent.Map{}, symbols: map[string]*symbols{}}
	defer func() { err = errors.Join(err, files.close()) }()
	s.Walk(func(x perfevent.Sample, m *perfevent.Map) { files.note(x.PID, m) })
	b := newBuilder(how.Types())
	s.Walk(func(x perfevent.Sample, _ *perfevent.Map) {
		b.add(files.frames(s, x), nil, []int64{1, int64(period)})
	})
	p, err := b.done(&how)
	if err != nil {
		return nil, err
	}
	return &Result{How: how, Profile: p}, nil
}

// sampled returns the CPU time in which samples were taken: without that in the kernel, if it was
// excluded.
func sampled(s *perfevent.Samples, user time.Duration) time.Duration {
	if s.Events[0].UserOnly && user > 0 {
		return min(user, s.CPU)
	}
	return s.CPU
}

// images are the files that processes have mapped, as far as they can be read.
type images struct {
	maps    map[int32][]*perfevent.Map // by process, the last mapping first
	symbols map[string]*symbols        // by file; nil: its functions are unknown
}

// note remembers a part of a file. The addresses that calls return to are not told with
// theirs, but are in one that was found at some time.
func (m images) note(pid int32, in *perfevent.Map) {
	if in != nil && !slices.Contains(m.maps[pid], in) {
		m.maps[pid] = slices.Insert(m.maps[pid], 0, in)
	}
}

// frames are the functions of a sample, the innermost first.
func (m images) frames(s *perfevent.Samples, x perfevent.Sample) []frame {
	var out []frame
	if x.Kernel {
		out = append(out, frame{name: "[kernel]"})
	}
	for i, pc := range s.Stack(x) {
		out = append(out, m.at(x.PID, pc, i == 0)...)
	}
	if len(out) == 0 {
		out = m.at(x.PID, x.IP, true)
	}
	return trim(out, inRunning)
}

func (m images) at(pid int32, pc uint64, exact bool) []frame {
	i := slices.IndexFunc(m.maps[pid], func(in *perfevent.Map) bool { return pc >= in.Start && pc < in.End })
	if i < 0 {
		return []frame{{name: nowhere}}
	}
	in := m.maps[pid][i]
	if !strings.HasPrefix(in.Path, "/") || strings.HasPrefix(in.Path, "//") {
		return []frame{{name: in.Path}} // [vdso], //anon
	}
	sym, ok := m.symbols[in.Path]
	if !ok {
		sym, _ = openSymbols(in.Path)
		m.symbols[in.Path] = sym
	}
	if sym == nil {
		return []frame{{name: "(" + filepath.Base(in.Path) + ")"}}
	}
	sym.bias = sym.file.Bias(in.Start, in.Offset)
	return sym.at(pc, exact, false, true)
}

func (m images) close() error {
	var errs []error
	for _, s := range m.symbols {
		if s != nil {
			errs = append(errs, s.close())
		}
	}
	return errors.Join(errs...)
}

// rate returns how many samples a CPU profiler takes in a second of CPU time, for an interval: 97 instead of
// 100, say, so that it does not keep step with a program that does something 100 times a second, which
// would always be found in the same place.
func rate(interval time.Duration) int {
	hz := max(1, int(math.Round(float64(time.Second)/float64(interval)))) // of an interval above 2 s
	if hz < 8 {
		return hz
	}
	return hz - max(1, hz/32)
}
