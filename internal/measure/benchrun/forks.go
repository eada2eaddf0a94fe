package benchrun

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/env"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/process/memorymax"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// seedVar is the environment variable in which package bench finds its seed.
const seedVar = "TARE_SEED"

// startForks starts the launcher of forks.
func startForks(ctx context.Context, b *Built) (*Found, error) {
	f := &Found{Built: b, firstWall: map[int]time.Duration{}}
	l, err := spawn.Start(ctx, spawn.Config{})
	if err != nil {
		return nil, b.interrupted(exit.Failed(err, "tare doctor says what is wrong with this machine"))
	}
	f.forks = &fork.Runner{Launcher: l, Environ: b.environ(), Mask: redact.Text}
	f.forks.CPU, _ = env.OpenCPU() // without it stolen time is not known
	f.forks.Throttle = env.OpenThrottle()
	if err := f.limitMemory(); err != nil {
		l.Close()
		return nil, err
	}
	f.priority = session.Prioritize(b.Run.Config.NoPriority, l.Prioritize)
	f.run, f.reference, f.empty = f.fork, f.startReference, f.measureEmpty
	return f, nil
}

// Close ends the launcher.
func (f *Found) Close() {
	f.forks.Launcher.Close()
	if err := f.forks.Memory.Close(); err != nil {
		f.Progress.Note("--memory-max: the control group stays: %v", err)
	}
}

// limitMemory limits the memory of all forks, if that was asked for.
func (f *Found) limitMemory() (err error) {
	c := &f.Run.Config
	if c.MemoryMax == 0 {
		return nil
	}
	if f.forks.Launcher.Pid() == os.Getpid() {
		return exit.Failed(errors.New("--memory-max needs a program that starts forks, and it could not be built"), "tare doctor says what is wrong with this machine")
	}
	f.forks.Memory, err = memorymax.Open(c.MemoryMax, f.forks.Launcher.Pid())
	c.MemoryMaxBy = f.forks.Memory.By()
	if err != nil {
		f.warnings = append(f.warnings, diagnosis.Warn(diagnosis.MemoryMaxUnenforced, diagnosis.Facts{"why": err}))
	}
	return nil
}

// fork runs one fork.
func (f *Found) fork(ctx context.Context, r plan.Request) (*plan.Outcome, error) {
	return f.forkOf(ctx, r, f.binary(r.Case, r.Round, r.Purpose))
}

// forkOf runs one fork of a binary.
func (f *Found) forkOf(ctx context.Context, r plan.Request, b *binary) (*plan.Outcome, error) {
	observing := f.Profilers.Observing(r.Purpose)
	if len(r.Group) > 0 {
		observing = nil // whose figures they would read is not known
	}
	out, err := f.forks.Run(ctx, fork.Spec{
		Case: r.Case, Group: r.Group, With: r.With, Bin: &b.Bin, Path: b.built.Path, Args: f.Run.Config.Args, Environ: f.forkEnviron(b.side, observing, r.Round),
		Round: r.Round, Purpose: r.Purpose, Benchtime: f.benchtime(r), Count: r.Count, Warmup: r.Warmup, Timeout: r.Timeout * f.patience(r.Purpose),
		Attach: observing.Attachers(), Interpret: observing.Interpreters(), Prepare: observing.Preparers(), Wrap: observing.Wrapper(),
	})
	if err != nil {
		return nil, err
	}
	return outcome(out), nil
}

// outcome returns what the plan needs of a fork, and of those of its process.
func outcome(x *fork.Outcome) *plan.Outcome {
	out := &plan.Outcome{Fork: x.Fork, Samples: x.Samples}
	for _, o := range x.Others {
		out.Others = append(out.Others, outcome(o))
	}
	return out
}

// sideEnviron returns the environment of the forks of a side.
func (f *Found) sideEnviron(x *builtSide) []string {
	root := f.goroot(x)
	if len(x.Setenv) == 0 && root == "" {
		return f.forks.Environ
	}
	env := slices.Clone(f.forks.Environ)
	if root != "" && !slices.ContainsFunc(env, func(kv string) bool { return strings.HasPrefix(kv, "GOROOT=") }) {
		env = append(env, "GOROOT="+root)
	}
	return session.LastOfEach(append(env, x.Setenv...))
}

// goroot returns where the Go is that built a side's binaries, which benchmarks that read its sources ask for: the
// binaries do not know, unlike those of go test, whose paths are not trimmed. "": not known.
func (f *Found) goroot(x *builtSide) string {
	for _, b := range f.bins {
		if b.side == x {
			return b.built.Root
		}
	}
	return ""
}

// forkEnviron adds what profilers ask for, and a seed for what package bench
// draws at random. The seed is another one in each round, so that forks sample
// it, and the same for all sides.
func (f *Found) forkEnviron(x *builtSide, observing profiler.Set, round int) []string {
	env := append(slices.Clone(f.sideEnviron(x)), observing.Environ()...)
	if slices.ContainsFunc(env, func(kv string) bool { return strings.HasPrefix(kv, seedVar+"=") }) {
		return env // the user has set it
	}
	seed := rand.New(rand.NewPCG(uint64(f.Run.Seed), 1<<62|uint64(round))).Uint64()
	return append(env, fmt.Sprintf("%s=%016x", seedVar, seed))
}

// benchtime returns how much a fork is asked to do. Forks of a profiler that
// says so do 1/Nth of the operations of a timed fork, unless their number was
// asked for.
func (b *Built) benchtime(r plan.Request) string {
	c, m := r.Case, b.Profilers.Get(r.Purpose)
	if m == nil || m.Needs().OpsDivisor == 0 || c.Mode != record.ModeN || c.SingleShot || b.Run.Config.Benchtime != "" {
		return r.Benchtime
	}
	need := m.Needs()
	return fmt.Sprintf("%dx", max(1, c.N/int64(need.OpsDivisor), min(c.N, int64(need.LeastOps))))
}

// patience returns the factor by which the forks of a purpose may take longer
// than timed ones. Each process of a wrapper may take as long as a timed one. A
// timeout that was asked for is kept.
func (b *Built) patience(purpose string) time.Duration {
	m := b.Profilers.Get(purpose)
	if m == nil || b.Run.Config.Timeout > 0 {
		return 1
	}
	if _, ok := m.Profiler.(profiler.Wrapper); ok {
		return 1
	}
	return time.Duration(max(1, m.Needs().Slowdown))
}
