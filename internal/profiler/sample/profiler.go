package sample

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/timerlog"
	"github.com/tarebench/tare/internal/toolchain"
	"github.com/tarebench/tare/record"
)

// Name is that of the profiler.
const Name = "sample"

// Profiler returns the profiler, a [profiler.Builder] and [profiler.Preparer]. It samples all goroutines
// of a benchmark by the clock, or with record.SampledCPU by CPU time, in its measured iterations.
// Test binaries also need toolchain.Stops, which logs when the timer is stopped: samples taken then
// do not count.
func Profiler(c Config) profiler.Profiler { return sampleProfiler{c} }

type sampleProfiler struct{ c Config }

func (sampleProfiler) Name() string { return Name }

// Needs asks for hooks in package testing, whose marks say when benchmarks measure.
func (sampleProfiler) Needs() profiler.Needs { return profiler.Needs{Forks: true, Deep: true} }

// Needed says what the sampler supports, as advice after [toolchain.ErrUnsupported].
const Needed = "go1.26 or later on Linux or macOS, for amd64 or arm64"

func (p sampleProfiler) Probe() error {
	if err := p.c.Validate(); err != nil {
		return err
	}
	if err := toolchain.Sampler.Supports(runtime.GOOS, runtime.GOARCH); err != nil {
		return &profiler.ProbeError{Err: err, Advice: Needed}
	}
	return nil
}

// Build adds the sampler to a test binary.
func (sampleProfiler) Build(ctx context.Context, b profiler.Build) (profiler.Built, error) {
	t, err := toolchain.Find(ctx, toolchain.Command{Dir: b.Dir, Env: b.Env}, b.Flags...)
	if err != nil {
		return profiler.Built{}, err
	}
	overlay, err := t.RuntimeOverlay(toolchain.Sampler)
	if errors.Is(err, toolchain.ErrUnsupported) {
		err = &profiler.ProbeError{Err: err, Advice: Needed}
	}
	if err != nil {
		return profiler.Built{}, err
	}
	return profiler.Built{Flags: []string{"-overlay=" + overlay}}, nil
}

// Close does nothing: the overlay stays in the cache for the next run.
func (sampleProfiler) Close() error { return nil }

// Prepare makes the file that one fork writes its samples to.
func (p sampleProfiler) Prepare(profiler.Fork) (profiler.Session, []string, error) {
	c, err := p.c.prepared()
	if err != nil {
		return nil, nil, err
	}
	r, err := newRoom(c.Room)
	if err != nil {
		return nil, nil, err
	}
	n, err := timerlog.New()
	if err != nil {
		return nil, nil, errors.Join(err, r.Remove())
	}
	return &session{r, n, c}, append(n.Env(timerlog.Room), r.env(c.Mode, c.Interval)), nil
}

// session is one fork.
type session struct {
	room  room
	notes *timerlog.Notes
	c     Config
}

// End returns the samples of the fork in its windows, taken while its timer ran.
func (s *session) End(windows []profiler.Window) (r profiler.Result, err error) {
	defer func() { err = errors.Join(err, s.room.Remove()) }()
	notes, noNotes := s.notes.Read()
	if len(windows) == 0 {
		return r, nil
	}
	x, err := s.room.read()
	if err != nil {
		return r, err
	}
	if !filepath.IsAbs(x.path) {
		return r, fmt.Errorf("sample: the path of the program %q is unknown", x.path)
	}
	sym, err := openSymbols(x.path)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, sym.close()) }()
	when := timerlog.Timed(windows, notes)
	res, err := weighPCs(x, sym, s.how(x.path, windows, when), when.Ran)
	if err != nil {
		return r, err
	}
	res.noNotes, res.fork = noNotes, true
	if res.How.Looks == 0 {
		interval := max(res.How.Interval, int64(res.How.Achieved))
		return r, fmt.Errorf("no sample fell into its %d windows: %d samples take %s; use a longer --time", len(windows), result.FewSamples, time.Duration(result.FewSamples*interval))
	}
	r.Lines, err = res.Lines()
	return r, err
}

// how returns the description of the samples of windows.
func (s *session) how(path string, windows []profiler.Window, when timerlog.Timing) record.Sampled {
	how := s.c.how(path, s.room)
	if how.Mode == record.SampledWall {
		how.Blind = append(how.Blind, "goroutines with which package testing waits for the benchmark")
	}
	how.Window, how.Windows, how.Ops = record.AsmMarks, len(windows), when.Ops
	how.Stopped, how.Unnoted = when.Stood, 1-when.Noted
	for _, w := range windows {
		if w.Rough {
			how.Window = record.AsmRough
		}
	}
	return how
}

var _ interface {
	profiler.Builder
	profiler.Preparer
} = sampleProfiler{}
