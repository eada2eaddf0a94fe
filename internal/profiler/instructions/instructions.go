package instructions

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"

	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/record"
)

// CodeSerialised is the doubt about benchmarks that run in parallel.
const CodeSerialised = "serialised"

// Unit is the unit of the figure. It is not that of the processor's own counter,
// instructions/op, which counts what the processor did and, if it may, the kernel's.
const Unit = "valgrind-instructions/op"

// slow is how many times as long as a timed fork one of ours may take: valgrind is some
// 5 to 50 times as slow, but what is expected of a timed fork is more than one window.
const slow = 10

// Profiler returns the profiler, which looks for valgrind in PATH.
func Profiler() profiler.Profiler {
	return instructionsProfiler{goos: runtime.GOOS, look: exec.LookPath}
}

type instructionsProfiler struct {
	goos string
	look func(file string) (string, error)
}

func (instructionsProfiler) Name() string { return "instructions" }

// Needs asks for one P. Valgrind runs one thread at a time, so that others could only
// spin: instructions by the ten million, where one P is good for ten thousand or less.
func (instructionsProfiler) Needs() profiler.Needs {
	return profiler.Needs{Forks: true, Procs: 1, Env: []string{"GOMAXPROCS=1"}, Slow: slow}
}

// Probe looks for valgrind. Whether it can run a certain binary only a fork can tell.
func (p instructionsProfiler) Probe() error {
	if p.goos == "windows" || p.goos == "plan9" || p.goos == "js" || p.goos == "wasip1" {
		return errors.New("there is no valgrind for " + p.goos)
	}
	if _, err := p.look("valgrind"); err != nil {
		return &profiler.ProbeError{
			Err:    fmt.Errorf("no valgrind here: %w", err),
			Advice: "install it, as with: apt-get install valgrind",
		}
	}
	return nil
}

// Wrap begins a fork.
func (p instructionsProfiler) Wrap(c *record.Case) (profiler.Wrapped, error) {
	if c.SingleShot {
		return nil, errors.New("it is one cold operation for each process, and only how a count grows with operations can be told")
	}
	path, err := p.look("valgrind")
	if err != nil {
		return nil, fmt.Errorf("valgrind: %w", err)
	}
	return newFork(path, c)
}
