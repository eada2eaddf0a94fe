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

	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// ErrNotInside is wrapped by the error for a program that was built without the sampler.
var ErrNotInside = errors.New("built without the sampler")

// Run is a program that was sampled until its end.
type Run struct {
	*Result
	Process spawn.Result
	Ended   error // why it was killed; nil: it ended by itself
}

// Command runs and samples a program that was built with the sampler, see [toolchain.Sampler]. If ctx ends first, the
// program is killed, and Run.Ended says why. Command fails if the program cannot be started or has written no
// samples. The error wraps [ErrNotInside] if it was built without the sampler.
func Command(ctx context.Context, l *spawn.Launcher, spec spawn.Spec, c Config) (run *Run, err error) {
	c, err = c.withDefaults()
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
	if !sym.hasSampler() {
		return nil, fmt.Errorf("sample: %s: %w", path, ErrNotInside)
	}
	r, err := newSampleFile(c.Capacity)
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
	if errors.Is(err, errNoSamples) {
		return nil, fmt.Errorf("sample: %s ended after %v without a sample", path, run.Process.Wall().Round(time.Millisecond))
	}
	if err != nil {
		return nil, err
	}
	s.end = run.Process.End
	how := c.describe(path, r)
	how.CPU = int64(run.Process.User + run.Process.Sys)
	run.Result, err = resultFromPCs(s, sym, how, nil)
	if err != nil {
		return nil, err
	}
	if c.Mode == record.SampledCPU && run.Process.End > s.start {
		run.How.Wall = run.Process.End - s.start
	}
	return run, nil
}

// find returns the path of a program, found as by the launcher.
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

// contentHash matches the hash in the file name of a cached test binary.
var contentHash = regexp.MustCompile(`-[0-9a-f]{64}(\.test(\.exe)?)$`)

// programName returns the base name of a program, without the hash of the cache.
func programName(path string) string { return contentHash.ReplaceAllString(filepath.Base(path), "$1") }

// describe returns the description of a program's samples for the record: how they were taken and their
// limitations. It does not set the number of samples.
func (c Config) describe(path string, r sampleFile) record.Sampled {
	how := record.Sampled{Program: programName(path), Mode: c.Mode, Window: record.AsmWhole, Interval: int64(c.Interval)}
	if c.Mode == record.SampledCPU {
		how.Source = record.SampledRuntime
		how.Limitations = []string{
			"waiting threads and C functions: Go's profiler interrupts threads that use CPU time and resolves only Go functions",
			"the last tenth of a second of a program that ends by os.Exit or is killed",
			"the overhead of sampling: the signal for each sample is not timed",
			otherProcesses,
		}
		if r.ownProfilerUsed() {
			how.Limitations = append(how.Limitations, ownProfile)
		}
		return how
	}
	how.Source = record.SampledStacks
	how.Limitations = []string{
		"functions of C, which count as system calls",
		"the runtime's own goroutines, such as those of its garbage collector",
		otherProcesses,
	}
	return how
}

// ownProfile is the limitation for a program that requested a CPU profile.
const ownProfile = "the program's own CPU profile, which is empty: Go has one CPU profiler per process, and the sampler used it"

// otherProcesses is the limitation of sampling inside one process.
const otherProcesses = "processes that it starts, and programs that it executes: a sampler observes one program"
