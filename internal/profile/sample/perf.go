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

	"github.com/tarebench/tare/internal/process/perfevent"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// PerfCommand runs any command and has the kernel sample its threads and those of its descendants, every
// Config.Interval of their CPU time. If ctx ends first, the command is killed, and Run.Ended says why. The error
// wraps that of perfevent.AvailableEvents if the kernel does not support it, and spawn.ErrHold if a process cannot be
// held before its first instruction.
func PerfCommand(ctx context.Context, l *spawn.Launcher, spec spawn.Spec, c Config) (*Run, error) {
	c, err := c.withDefaults()
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

// stacks returns the result of the kernel's samples of a program that used user CPU time.
func stacks(s *perfevent.Samples, c Config, name string, user time.Duration) (res *Result, err error) {
	e := s.Events[0]
	how := record.Sampled{
		Program: name, Mode: record.SampledCPU, Source: record.SampledPerf, Rejected: s.Rejected, Window: record.AsmWhole, Interval: int64(c.Interval),
		Samples: int64(len(s.List)), Lost: s.Lost, CPU: int64(s.CPU),
		Limitations: []string{"waiting threads", "callers of functions without a frame, such as small leaf functions: the caller's caller is shown instead"},
	}
	period := float64(e.Period)
	if cpu := sampled(s, user); how.Samples > 0 && cpu > 0 {
		how.Achieved = float64(cpu) / float64(how.Samples)
		period = how.Achieved // may exceed the requested one, or the event is not a clock
	}
	if cost, err := perfevent.Cost(e.Name); err == nil && s.CPU > 0 {
		how.SampleCost, how.Cost = float64(cost), float64(cost)*float64(how.Samples)/float64(s.CPU)
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

// sampled returns the CPU time in which samples were taken, without kernel time if that was excluded.
func sampled(s *perfevent.Samples, user time.Duration) time.Duration {
	if s.Events[0].UserOnly && user > 0 {
		return min(user, s.CPU)
	}
	return s.CPU
}

// images are the files that processes have mapped.
type images struct {
	maps    map[int32][]*perfevent.Map // by process, the last mapping first
	symbols map[string]*symbols        // by file; nil: not readable
}

// note stores a mapping. Return addresses have no mapping of their own, but lie in one that some sample had.
func (m images) note(pid int32, in *perfevent.Map) {
	if in != nil && !slices.Contains(m.maps[pid], in) {
		m.maps[pid] = slices.Insert(m.maps[pid], 0, in)
	}
}

// frames returns the functions of a sample, innermost first.
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
		return []frame{{name: unknownFunction}}
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

// rate returns the samples per second of CPU time for an interval: for example 97 instead of 100, so that sampling is
// not in step with a program that does something 100 times a second.
func rate(interval time.Duration) int {
	hz := max(1, int(math.Round(float64(time.Second)/float64(interval)))) // 1 for intervals above 2 s
	if hz < 8 {
		return hz
	}
	return hz - max(1, hz/32)
}
