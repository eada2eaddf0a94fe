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

// ErrNotInside is wrapped by the error about a program that was built without the sampler.
var ErrNotInside = errors.New("it was built without the sampler")

// Run is a program that was sampled until its end.
type Run struct {
	*Result
	Process spawn.Result
	Ended   error // why it was killed; nil: it ended by itself
}

// Command runs a program that was built with the sampler, see [toolchain.Sampler], and samples it until
// it ends. If ctx ends first, the program is killed, and Run.Ended says why. It fails if the
// program cannot be started or has written no samples; the error wraps [ErrNotInside] if it was
// built without the sampler.
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
		return nil, fmt.Errorf("sample: %s ended after %v without a sample", path, run.Process.Wall().Round(time.Millisecond))
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

// find returns the path of a program, as the launcher finds it.
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

// contentHash matches the hash in the name of a test binary in the cache.
var contentHash = regexp.MustCompile(`-[0-9a-f]{64}(\.test(\.exe)?)$`)

// programName returns the name of a program without the hash of the cache.
func programName(path string) string { return contentHash.ReplaceAllString(filepath.Base(path), "$1") }

// how returns the description of the samples, without their number, of a program that has ended.
func (c Config) how(path string, r room) record.Sampled {
	how := record.Sampled{Program: programName(path), Mode: c.Mode, Window: record.AsmWhole, Interval: int64(c.Interval)}
	if c.Mode == record.SampledCPU {
		how.Source = record.SampledRuntime
		how.Blind = []string{
			"threads that wait, and functions of C: Go's profiler interrupts threads that use CPU time, and knows only functions of Go",
			"the last tenth of a second of a program that ends by os.Exit or is killed",
			"the cost of sampling: a signal for each sample, which is not timed",
			otherProcesses,
		}
		if r.rival() {
			how.Blind = append(how.Blind, ownProfile)
		}
		return how
	}
	how.Source = record.SampledLooks
	how.Blind = []string{
		"functions of C, which count as system calls",
		"goroutines of the runtime itself, such as those of its garbage collector",
		otherProcesses,
	}
	return how
}

// ownProfile is empty.
const ownProfile = "the CPU profile that the program asked for of itself, which is empty: Go has one profiler, and that was taken"

// otherProcesses are not seen from within.
const otherProcesses = "processes that it starts, and what it becomes by exec: each is looked at by itself"
