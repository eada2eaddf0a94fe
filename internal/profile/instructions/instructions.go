package instructions

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// Name is the name of the profiler.
const Name = "instructions"

// Forks is the number of forks that the profiler runs if none is asked for: the fewest that show how far the counts of the runtime
// spread. Those of other code repeat.
const Forks = 3

// Unit is the unit of the figure. It differs from instructions/op of the hardware counter, which may include the
// kernel.
const Unit = "valgrind-instructions/op"

// slow is the expected duration relative to a timed fork. Valgrind is 5 to 50 times as slow, but a timed fork has more
// than one window.
const slow = 10

// Profiler returns the profiler. It searches for valgrind in PATH.
func Profiler() profiler.Profiler {
	p := instructionsProfiler{goos: runtime.GOOS, lookPath: exec.LookPath}
	if runtime.GOARCH == "amd64" {
		p.cpuinfo = "/proc/cpuinfo"
	}
	return p
}

type instructionsProfiler struct {
	goos     string
	lookPath func(file string) (string, error)
	cpuinfo  string // file that describes the processor; "" where there is nothing to search for
}

func (instructionsProfiler) Name() string { return Name }

// Needs requests one P. Valgrind runs one thread at a time, so other threads would only spin, for ten million
// instructions instead of ten thousand or less.
func (instructionsProfiler) Needs() profiler.Needs {
	return profiler.Needs{OwnForks: true, Procs: 1, Env: []string{"GOMAXPROCS=1"}, Slowdown: slow}
}

// Available searches for valgrind, and checks whether it can run programs of Go here. Whether it can run a certain binary is known
// only in a fork.
func (p instructionsProfiler) Available() error {
	if p.goos == "windows" || p.goos == "plan9" || p.goos == "js" || p.goos == "wasip1" {
		return errors.New("valgrind does not support " + p.goos)
	}
	if _, err := p.lookPath("valgrind"); err != nil {
		return &profiler.UnavailableError{
			Err:    fmt.Errorf("valgrind is not installed: %w", err),
			Advice: "install it, as with: apt-get install valgrind",
		}
	}
	if err := checkProcessor(p.cpuinfo); err != nil {
		return &profiler.UnavailableError{Err: err, Advice: "measure on another machine, or with --prof counter"}
	}
	return nil
}

// Wrap starts a fork.
func (p instructionsProfiler) Wrap(c *record.Case) (profiler.Wrapped, error) {
	if c.SingleShot {
		return nil, errors.New("it runs one cold operation per process, and the count needs several")
	}
	path, err := p.lookPath("valgrind")
	if err != nil {
		return nil, fmt.Errorf("valgrind: %w", err)
	}
	return newFork(path, c, missingFeatures(p.cpuinfo)...)
}
