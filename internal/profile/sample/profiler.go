package sample

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/profile/timerlog"
	"github.com/tarebench/tare/record"
)

// Name is the name of the profiler.
const Name = "sample"

// Profiler returns the profiler, a [profiler.Builder] and [profiler.Preparer]. It samples all goroutines of a
// benchmark by wall time, or with record.SampledCPU by CPU time, in its measured iterations. Test binaries also need
// toolchain.TimerLog: samples taken while the timer is stopped do not count.
func Profiler(c Config) profiler.Profiler { return sampleProfiler{c} }

type sampleProfiler struct{ c Config }

func (sampleProfiler) Name() string { return Name }

// Needs requests hooks in package testing for their marks.
func (sampleProfiler) Needs() profiler.Needs { return profiler.Needs{OwnForks: true, Hooks: true} }

// Requirements is the advice for [toolchain.ErrUnsupported]: what the sampler supports.
const Requirements = "go1.25 or later on Linux or macOS, for amd64 or arm64"

func (p sampleProfiler) Available() error {
	if err := p.c.Validate(); err != nil {
		return err
	}
	if err := toolchain.Sampler.Supports(runtime.GOOS, runtime.GOARCH); err != nil {
		return &profiler.UnavailableError{Err: err, Advice: Requirements}
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
		err = &profiler.UnavailableError{Err: err, Advice: Requirements}
	}
	if err != nil {
		return profiler.Built{}, err
	}
	return profiler.Built{Flags: []string{"-overlay=" + overlay}}, nil
}

// Close does nothing: the overlay stays in the cache for the next run.
func (sampleProfiler) Close() error { return nil }

// Prepare creates the file for the samples of one fork.
func (p sampleProfiler) Prepare(profiler.Fork) (profiler.Session, []string, error) {
	c, err := p.c.withDefaults()
	if err != nil {
		return nil, nil, err
	}
	r, err := newSampleFile(c.Capacity)
	if err != nil {
		return nil, nil, err
	}
	n, err := timerlog.New()
	if err != nil {
		return nil, nil, errors.Join(err, r.Remove())
	}
	return &session{r, n, c}, append(n.Env(timerlog.DefaultCapacity), r.env(c.Mode, c.Interval)), nil
}

// session is one fork.
type session struct {
	room  sampleFile
	notes *timerlog.Log
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
		return r, fmt.Errorf("sample: unknown path of the program: %q", x.path)
	}
	sym, err := openSymbols(x.path)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, sym.close()) }()
	when := timerlog.NewTiming(windows, notes)
	res, err := resultFromPCs(x, sym, s.describe(x.path, windows, when), when.Ran)
	if err != nil {
		return r, err
	}
	res.timerLogErr, res.fork = noNotes, true
	if res.How.Samples == 0 {
		interval := max(res.How.Interval, int64(res.How.Achieved))
		return r, fmt.Errorf("no sample fell into its %d windows: %d samples take %s; use a longer --time", len(windows), diagnosis.EnoughStacks, time.Duration(diagnosis.EnoughStacks*interval))
	}
	r.Lines, err = res.Lines()
	return r, err
}

// describe returns the description of the samples of windows.
func (s *session) describe(path string, windows []profiler.Window, when timerlog.Timing) record.Sampled {
	how := s.c.describe(path, s.room)
	if how.Mode == record.SampledWall {
		how.Limitations = append(how.Limitations, "goroutines with which package testing waits for the benchmark")
	}
	how.Window, how.Windows, how.Ops = record.AsmMarks, len(windows), when.Ops
	how.Stopped, how.Unlogged = when.Stopped, 1-when.Logged
	for _, w := range windows {
		if w.Approximate {
			how.Window = record.AsmRough
		}
	}
	return how
}

var _ interface {
	profiler.Builder
	profiler.Preparer
} = sampleProfiler{}
