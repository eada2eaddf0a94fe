package asm

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// Parameters of forks under Go's CPU profiler, which takes 100 samples per second.
const (
	slow           = 8               // factor of the operations of a timed iteration
	minProfileTime = 2 * time.Second // duration of one process if N is unknown
	firstN         = 100
	maxGrowth      = 100
	processes      = 6
)

// wrapper makes test binaries write a CPU profile.
type wrapper struct {
	base
	passed error // why perf events are not available
}

// Needs requests forks of its own, which take longer.
func (wrapper) Needs() profiler.Needs { return profiler.Needs{OwnForks: true, Slowdown: slow} }

// Wrap starts a fork.
func (p *wrapper) Wrap(c *record.Case) (profiler.Wrapped, error) {
	dir, err := tempdir.Dir("asm")
	if err != nil {
		return nil, fmt.Errorf("a place for profiles: %w", err)
	}
	f := &profiled{cfg: p.cfg, passed: p.passed, dir: dir, n: c.N * slow, last: true}
	if c.SingleShot {
		f.n = 1
	} else if c.N == 0 {
		f.n, f.last = firstN, false
	}
	return f, nil
}

// profiled is one fork: one process, or several if N is unknown, of which the last counts.
type profiled struct {
	cfg     Config
	passed  error
	dir     *tempdir.Place
	binary  string
	n       int64
	last    bool // the next process is the last
	started time.Time
	began   time.Time // start of the first process
	ran     int
	ops     int64
}

func (f *profiled) out() string { return filepath.Join(f.dir.Path, "cpu.pprof") }

// Next returns N of the next process, or 0 if the last one took long enough.
func (f *profiled) Next() int64 {
	if f.ran > 0 && (f.last || f.ran == processes) {
		return 0
	}
	return f.n
}

// Command adds the flag of package testing that writes a profile.
func (f *profiled) Command(path string, args []string) (string, []string) {
	f.binary, f.started = path, time.Now()
	if f.ran == 0 {
		f.began = f.started
	}
	return path, append(args[:len(args):len(args)], "-test.cpuprofile="+f.out())
}

// Ran decides whether another process is needed.
func (f *profiled) Ran(ops int64) error {
	took := time.Since(f.started)
	f.ran++
	f.ops = ops
	if took < minProfileTime && !f.last {
		f.n = int64(float64(f.n) * min(maxGrowth, 1.5*float64(minProfileTime)/float64(max(took, time.Millisecond))))
	} else {
		f.last = true
	}
	return nil
}

// End reads the profile.
func (f *profiled) End() (r profiler.Result, ops int64, err error) {
	defer func() { err = errors.Join(err, f.dir.Remove()) }()
	if f.ran == 0 {
		return r, 0, errors.New("no process succeeded")
	}
	a, warnings, err := fromPprof(f.out(), f.binary, f.cfg, f.began)
	if err != nil {
		return r, 0, err
	}
	a.Ops = f.ops
	a.Rejected = append([]string{f.passed.Error()}, a.Rejected...)
	r, err = forkResult(a, append(warnings, sampleWarnings(a)...))
	return r, f.ops, err
}
