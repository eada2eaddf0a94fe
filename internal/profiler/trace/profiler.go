package trace

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"

	"github.com/tarebench/tare/internal/instrument"
	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/tempdir"
	"github.com/tarebench/tare/internal/toolchain"
)

// Name is that of the profiler.
const Name = "trace"

// Forks is the default number of processes (forks) of a benchmark: counts are exact, and more than
// one shows whether they are always the same.
const Forks = 3

// iterVar is the variable that names the iteration that counts, for the half in the process.
const iterVar = "TARE_TRACE"

// steps is how many calls of the execution path are kept: a few operations of most benchmarks.
const steps = 200

// A probe takes some 30 ns. The shortest operation worth a benchmark takes 2 ns; if it makes 5 calls
// that are inlined without probes, it takes 80 times as long with them. So profiled forks run 1/16
// of the operations of timed ones, which changes few counts. Most of them then take less time than
// timed ones, and the worst take five times as long. A fork is killed after 10 times its expected
// time. Iterations by time take the usual time.
const (
	nth  = 16
	slow = 2
)

// Config says which functions are traced, and where the files of the builds are written.
type Config struct {
	// Match are patterns of functions, as in package instrument. Default: all functions of the
	// package under test and of its tests. Benchmarks, tests, fuzz tests, examples and TestMain
	// are never traced.
	Match []string

	// Skip are patterns of functions that get no probes although they match.
	Skip []string

	// Work is the name of the directory for the files of the builds, among the temporary files: see
	// tempdir.Named. Build makes it, Close removes it. A resumed run has the same directory, as
	// its name may be in the binaries. Default: any.
	Work string
}

// Profiler returns the profiler, a [profiler.Builder] and [profiler.Preparer]. Test binaries need
// its half in package testing, toolchain.Trace.
func Profiler(c Config) profiler.Profiler {
	return &traceProfiler{cfg: c, built: make(map[key]*instrumented)}
}

type traceProfiler struct {
	cfg Config

	mu    sync.Mutex
	work  *tempdir.Place // nil: not made yet
	built map[key]*instrumented
}

// key tells test binaries apart.
type key struct{ side, pkg string }

// instrumented is a test binary with probes.
type instrumented struct {
	*instrument.Build
	inlined []string
	unknown string // why inlined is not known
}

func (*traceProfiler) Name() string { return Name }

// Needs asks for forks of its own, because probes take time, and for hooks, to know when the timer runs.
func (*traceProfiler) Needs() profiler.Needs {
	return profiler.Needs{Forks: true, Deep: true, Nth: nth, Slow: slow}
}

// needed is the advice where the toolchain does not support probes.
const needed = "a supported Go release on Linux, macOS or a BSD, with 64 bits"

func (p *traceProfiler) Probe() error {
	if err := toolchain.Probes.Supports(runtime.GOOS, runtime.GOARCH); err != nil {
		return &profiler.ProbeError{Err: err, Advice: needed}
	}
	return nil
}

// Validate returns an error that names every malformed pattern.
func (c Config) Validate() error {
	w := instrument.Config{Match: c.Match, Skip: c.Skip, Work: "."}
	if len(w.Match) == 0 {
		w.Match = []string{"*"}
	}
	return w.Validate()
}

// dir returns the directory of all builds, and makes it.
func (p *traceProfiler) dir() (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.work == nil {
		work, err := tempdir.Named(cmp.Or(p.cfg.Work, "instrumented"))
		if err != nil {
			return "", fmt.Errorf("directory of the build: %w", err)
		}
		p.work = work
	}
	return p.work.Path, nil
}

// Close removes the files of the builds.
func (p *traceProfiler) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.work == nil {
		return nil
	}
	defer func() { p.work = nil }()
	return p.work.Remove()
}

// Prepare makes the file that a fork writes its counts to.
func (p *traceProfiler) Prepare(f profiler.Fork) (profiler.Session, []string, error) {
	p.mu.Lock()
	w := p.built[key{f.Case.Side, f.Case.Pkg}]
	p.mu.Unlock()
	if w == nil {
		return nil, nil, errors.New("its test binary has no probes")
	}
	a, err := w.NewArena(instrument.ArenaConfig{Path: steps, Windowed: true})
	if err != nil {
		return nil, nil, err
	}
	iter := f.Warmup + 1
	return &session{arena: a, built: w, pkg: f.Case.Pkg, iter: iter}, []string{a.Env(), iterVar + "=" + strconv.Itoa(iter)}, nil
}

var _ interface {
	profiler.Builder
	profiler.Preparer
} = (*traceProfiler)(nil)
