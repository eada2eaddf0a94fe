package trace

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/golang/instrument"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/profiler"
)

// Name is the name of the profiler.
const Name = "trace"

// Forks is the default number of processes (forks) of a benchmark: counts are exact, and more than
// one shows whether they are always the same.
const Forks = 3

// iterVar is the variable with the iteration that counts, for the part in the process.
const iterVar = "TARE_TRACE"

// pathCalls is how many calls of the execution path are kept: a few operations of most benchmarks.
const pathCalls = 200

// A probe takes about 30 ns. The shortest operation worth a benchmark takes 2 ns. If it makes 5 calls that are
// inlined without probes, it takes 80 times as long with them. So profiled forks run 1/16 of the operations of timed
// ones, which changes few counts. Most of them then take less time than timed ones, and the worst five times as long.
// A fork is killed after 10 times its expected time. Iterations by time take the usual time.
const (
	opsDivisor = 16
	slowdown   = 2
)

// Config selects the functions to trace, and the directory of the builds.
type Config struct {
	// Match contains patterns of functions, as in package instrument. Default: all functions of the package under
	// test and of its tests. Benchmarks, tests, fuzz tests, examples and TestMain are never traced.
	Match []string

	// Skip contains patterns of functions that get no probes although they match.
	Skip []string

	// Work is the name of the temporary directory for the files of the builds; see tempdir.Named. Build creates it
	// and Close removes it. A resumed run must use the same name, because binaries may contain it. Default: any.
	Work string
}

// Profiler returns the profiler, a [profiler.Builder] and [profiler.Preparer]. Test binaries need its part in package
// testing, toolchain.Trace.
func Profiler(c Config) profiler.Profiler {
	return &traceProfiler{cfg: c, built: make(map[key]*instrumented)}
}

type traceProfiler struct {
	cfg Config

	mu    sync.Mutex
	work  *tempdir.Place // nil: not created yet
	built map[key]*instrumented
}

// key identifies a test binary.
type key struct{ side, pkg string }

// instrumented is a test binary with probes.
type instrumented struct {
	*instrument.Build
	inlined []string
	allocs  []string // of inlined
	unknown string   // why inlined is unknown
}

func (*traceProfiler) Name() string { return Name }

// Needs requests forks of its own, because probes take time, and hooks, to know when the timer runs.
func (*traceProfiler) Needs() profiler.Needs {
	return profiler.Needs{OwnForks: true, Hooks: true, OpsDivisor: opsDivisor, Slowdown: slowdown}
}

// requirements is the advice for a toolchain that does not support probes.
const requirements = "a supported Go release on Linux, macOS or a BSD, with 64 bits"

func (p *traceProfiler) Available() error {
	if err := toolchain.Probes.Supports(runtime.GOOS, runtime.GOARCH); err != nil {
		return &profiler.UnavailableError{Err: err, Advice: requirements}
	}
	return nil
}

// Validate returns an error that lists all malformed patterns.
func (c Config) Validate() error {
	w := instrument.Config{Match: c.Match, Skip: c.Skip, Work: "."}
	if len(w.Match) == 0 {
		w.Match = []string{"*"}
	}
	return w.Validate()
}

// dir returns the directory of all builds and creates it if necessary.
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

// Prepare creates the file for the counts of a fork.
func (p *traceProfiler) Prepare(f profiler.Fork) (profiler.Session, []string, error) {
	p.mu.Lock()
	w := p.built[key{f.Case.Side, f.Case.Pkg}]
	p.mu.Unlock()
	if w == nil {
		return nil, nil, errors.New("its test binary has no probes")
	}
	a, err := w.NewArena(instrument.ArenaConfig{PathCalls: pathCalls, Windowed: true})
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
