package alloc

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/profiler"
)

// Name is the name of the profiler.
const Name = "alloc"

// Forks is the number of forks that the profiler needs. Counts are exact, and more than one fork shows whether they repeat.
const Forks = 3

// allocVar is the variable for the part in the process: the number of warm-up iterations, a space, and the directory for its
// counts.
const allocVar = "TARE_ALLOC"

// Allocations take longer, and counts need no repetition. So profiled forks run 1/16 of the operations of
// timed ones, but not so few that what a run allocates by chance, a few objects, is a part of the figures.
const (
	opsDivisor = 16
	leastOps   = 200
	slowdown   = 2
)

// Profiler returns the profiler, a [profiler.Builder] and [profiler.Preparer]. Test binaries also need toolchain.Alloc.
func Profiler() profiler.Profiler { return allocProfiler{} }

type allocProfiler struct{}

func (allocProfiler) Name() string { return Name }

func (allocProfiler) Needs() profiler.Needs {
	return profiler.Needs{OwnForks: true, Hooks: true, OpsDivisor: opsDivisor, LeastOps: leastOps, Slowdown: slowdown}
}

// requirements is the advice for a toolchain whose runtime cannot count.
const requirements = "go1.25 or later on Linux, macOS or a BSD, with 64 bits"

func (allocProfiler) Available() error {
	if err := toolchain.Allocs.Supports(runtime.GOOS, runtime.GOARCH); err != nil {
		return &profiler.UnavailableError{Err: err, Advice: requirements}
	}
	return nil
}

// Build adds the counting to package runtime of a test binary.
func (allocProfiler) Build(ctx context.Context, b profiler.Build) (profiler.Built, error) {
	t, err := toolchain.Find(ctx, toolchain.Command{Dir: b.Dir, Env: b.Env}, b.Flags...)
	if err != nil {
		return profiler.Built{}, err
	}
	overlay, err := t.RuntimeOverlay(toolchain.Allocs)
	if errors.Is(err, toolchain.ErrUnsupported) {
		err = &profiler.UnavailableError{Err: err, Advice: requirements}
	}
	if err != nil {
		return profiler.Built{}, err
	}
	return profiler.Built{Flags: []string{"-overlay=" + overlay}}, nil
}

// Close does nothing: the overlay stays in the cache for the next run.
func (allocProfiler) Close() error { return nil }

// Prepare creates the directory for the counts of one fork.
func (allocProfiler) Prepare(f profiler.Fork) (profiler.Session, []string, error) {
	dir, err := tempdir.Dir(Name)
	if err != nil {
		return nil, nil, fmt.Errorf("a place for counts: %w", err)
	}
	return &session{dir}, []string{allocVar + "=" + strconv.Itoa(f.Warmup) + " " + dir.Path}, nil
}

var _ interface {
	profiler.Builder
	profiler.Preparer
} = allocProfiler{}
