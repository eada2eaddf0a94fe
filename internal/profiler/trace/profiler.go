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

// Forks is how many forks of a benchmark are enough where no number is asked for: counts
// are exact, and more than one shows whether they are always the same.
const Forks = 3

// iterVar tells the half in the process which iteration counts.
const iterVar = "TARE_TRACE"

// steps of the execution path are kept: a few operations of most benchmarks.
const steps = 200

// A probe takes some 30 ns. The shortest operation that is worth a benchmark takes 2 ns,
// and calls, without probes, what is compiled into it: with 5 such calls it takes 80 times
// as long with probes. So forks do a sixteenth of the operations of those that are timed,
// which counts care little about; most then take less time than those do, and the worst
// five times as much. A fork may be killed after 10 times what it is expected to take.
// Windows by time last as long as others.
const (
	nth  = 16
	slow = 2
)

// Config says what is traced, and where what that needs is written.
type Config struct {
	// Match are patterns of functions, as in package instrument. Default: all functions
	// of the package under test, and of its tests, but for benchmarks, tests, fuzz tests,
	// examples and TestMain, which are never traced.
	Match []string

	// Skip are patterns of functions that are left alone although they match.
	Skip []string

	// Work is the name of the directory for the files of the builds, among the temporary files: see
	// tempdir.Named. Build makes it, Close removes it. A run that goes on with another's forks
	// has the same: it may be in the binaries. Default: any.
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

// Needs asks for forks because probes take time, and for hooks to know when the timer runs.
func (*traceProfiler) Needs() profiler.Needs {
	return profiler.Needs{Forks: true, Deep: true, Nth: nth, Slow: slow}
}

// needed is what has a place for probes.
const needed = "a supported Go release on Linux, macOS or a BSD, with 64 bits"

func (p *traceProfiler) Probe() error {
	if err := toolchain.Probes.Supports(runtime.GOOS, runtime.GOARCH); err != nil {
		return &profiler.ProbeError{Err: err, Advice: needed}
	}
	return nil
}

// Validate returns an error that names every pattern that is none.
func (c Config) Validate() error {
	w := instrument.Config{Match: c.Match, Skip: c.Skip, Work: "."}
	if len(w.Match) == 0 {
		w.Match = []string{"*"}
	}
	return w.Validate()
}

// dir is the directory that all is in.
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

// Prepare makes the room that a fork counts in.
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
