package sample

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/tarebench/tare/internal/spawn"
	"github.com/tarebench/tare/record"
)

// ErrNotInside is wrapped by the error about a program that was not built with its half
// of the sampler.
var ErrNotInside = errors.New("it was not built to be looked at")

// Run is a program that was looked at until its end.
type Run struct {
	*Result
	Process spawn.Result
	Ended   error // why it was ended, if it did not end by itself
}

// Command runs a program that was built with its half of the sampler, see [toolchain.Sampler], and
// looks at it until it has ended, in whatever way, or is killed because ctx is done: that
// is told by Run.Ended. The error is that it could not be started, or has shown nothing;
// it wraps [ErrNotInside] if it was not built for it.
func Command(ctx context.Context, l *spawn.Launcher, spec spawn.Spec, c Config) (run *Run, err error) {
	c, err = c.prepared()
	if err != nil {
		return nil, err
	}
	path, err := find(spec.Path)
	if err != nil {
		return nil, err
	}
	sym, err := openSymbols(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, sym.close()) }()
	if !sym.inside() {
		return nil, fmt.Errorf("sample: %s: %w", path, ErrNotInside)
	}
	r, err := newRoom(c.Room)
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	defer func() { err = errors.Join(err, r.Remove()) }()
	if spec.Env == nil {
		spec.Env = os.Environ()
	}
	spec.Env = append(slices.Clone(spec.Env), r.env(c.Mode, c.Interval))
	child, err := l.Spawn(ctx, spec)
	if err != nil {
		return nil, err
	}
	run = &Run{}
	run.Process, run.Ended = child.Wait()
	s, err := r.read()
	if errors.Is(err, errSilent) {
		return nil, fmt.Errorf("sample: %s ended after %v and has shown nothing", path, run.Process.Wall().Round(time.Millisecond))
	}
	if err != nil {
		return nil, err
	}
	s.end = run.Process.End
	how := c.how(path, r)
	how.CPU = int64(run.Process.User + run.Process.Sys)
	run.Result, err = weighPCs(s, sym, how, nil)
	if err != nil {
		return nil, err
	}
	if c.Mode == record.SampledCPU && run.Process.End > s.start {
		run.How.Wall = run.Process.End - s.start
	}
	return run, nil
}

// find is the file of a program, as the launcher finds it.
func find(path string) (string, error) {
	if filepath.Base(path) == path {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("sample: %w", err)
		}
		return found, nil
	}
	return path, nil
}

// contentHash is what the name of a test binary that is kept has of its content.
var contentHash = regexp.MustCompile(`-[0-9a-f]{64}(\.test(\.exe)?)$`)

// programName is the name of a file as its author knows it.
func programName(path string) string { return contentHash.ReplaceAllString(filepath.Base(path), "$1") }

// how is what is known from within without the looks, of a program that has ended.
func (c Config) how(path string, r room) record.Sampled {
	how := record.Sampled{Program: programName(path), Mode: c.Mode, Window: record.AsmWhole, Interval: int64(c.Interval)}
	if c.Mode == record.SampledCPU {
		how.Source = record.SampledRuntime
		how.Blind = []string{
			"threads that wait, and functions of C: a profiler of Go interrupts threads that use CPU time, and knows Go's functions",
			"the last tenth of a second of a program that ends by os.Exit or is killed",
			"what it cost: a signal for each sample, which nobody times",
			otherProcesses,
		}
		if r.rival() {
			how.Blind = append(how.Blind, ownProfile)
		}
		return how
	}
	how.Source = record.SampledLooks
	how.Blind = []string{
		"functions of C, which count as the system call that they are to Go",
		"goroutines of the runtime itself, such as those of its garbage collector",
		otherProcesses,
	}
	return how
}

// ownProfile is empty.
const ownProfile = "the CPU profile that the program asked for of itself, which is empty: Go has one profiler, and that was taken"

// otherProcesses are not seen from within.
const otherProcesses = "processes that it starts, and what it becomes by exec: each is looked at by itself"
