package profiler

import (
	"context"

	"github.com/tarebench/tare/record"
)

// A Profiler observes forks.
type Profiler interface {
	// Name returns a lower-case word: the value of the flag, and the purpose of the profiler's forks.
	Name() string

	// Available returns nil if this machine supports the profiler, and otherwise the reason, to follow "not
	// available: ".
	Available() error

	// Needs returns what the profiler needs of the forks that it observes.
	Needs() Needs
}

// Needs is what a profiler needs of forks. The zero value is a profiler that observes timed forks.
type Needs struct {
	OwnForks      bool     // runs forks of its own, because it disturbs times
	Hooks         bool     // needs hooks in package testing
	HooksOptional bool     // also works without hooks, with approximate windows
	Env           []string // K=V, environment of the forks
	OpsDivisor    int      // its own forks run 1/Nth of the operations of a timed fork if that number is fixed and not given by the user; 0: they run for --time
	LeastOps      int      // with OpsDivisor: they run no fewer operations than that, unless a timed fork does
	Procs         int      // GOMAXPROCS of its own forks; 0: that of the benchmark
	Slowdown      int      // expected duration of its own forks relative to timed ones, and factor of their timeout; 0 means 1
}

// An Attacher observes processes from outside.
type Attacher interface {
	Profiler

	// Attach starts observing a process that has not executed its first instruction.
	Attach(pid int) (Session, error)
}

// A Preparer prepares something for the part in the measured process, such as a directory for data too large for the
// pipe. Unlike an [Attacher] it needs no held process.
type Preparer interface {
	Profiler

	// Prepare is called before a fork starts. env, K=V, is added to the fork's environment.
	Prepare(f Fork) (s Session, env []string, err error)
}

// Fork is a fork that is about to start.
type Fork struct {
	Case   *record.Case
	Warmup int // number of its first iterations that are warm-up
}

// A Builder changes the sources from which the test binaries of its own forks are built.
type Builder interface {
	Profiler

	// Build is called before the test binary of a package is built, once for each side, from several goroutines at a
	// time. The files that it writes stay until Close. An error concerns only this package. A [*UnavailableError]
	// concerns the toolchain.
	Build(ctx context.Context, b Build) (Built, error)

	// Close removes the files written by Build, after the last fork. It is called once in any case.
	Close() error
}

// Build describes a test binary for a [Builder].
type Build struct {
	Pkg   string   // import path, as in the cases of its benchmarks
	Side  string   // as in the cases of its benchmarks
	Files []string // its test files, including those of the external test package; absolute paths

	Dir   string   // where the go command runs
	Flags []string // its flags
	Env   []string // its complete environment
}

// An Inspector examines test binaries and the sources from which they were built, and no fork. It may run the go
// command: nothing is measured meanwhile.
type Inspector interface {
	Profiler

	// Inspect is called once for each test binary that is timed, when its benchmarks are known. The attachments are
	// about the binary; the caller sets its ID. An error becomes a warning about the run.
	Inspect(ctx context.Context, b Inspected) ([]*record.Attach, error)
}

// Inspected is a test binary for an [Inspector].
type Inspected struct {
	Build
	Binary     string   // its path
	Benchmarks []string // functions of the benchmarks of the run: "BenchmarkX"
}

// Built is what the go command needs in addition for a [Build].
type Built struct {
	Flags, Env []string
	Warnings   []*record.Warn // about the run

	// Check, if not nil, is called with the path of the built binary. It fails if settings elsewhere made the go
	// command use other sources.
	Check func(binary string) error
}

// A Session observes one process.
type Session interface {
	// End is called once when the process has ended, with the measured windows in order of time. There are no windows
	// if the process failed or was not started. End also cleans up.
	End(windows []Window) (Result, error)
}

// A Wrapper runs its forks inside a program that observes them, such as an emulator that counts instructions. Such a
// program reports on a whole process. So a fork of a Wrapper may be several processes that differ in N, and their
// common part, start and set-up, cancels out.
type Wrapper interface {
	Profiler

	// Wrap starts a fork of c.
	Wrap(c *record.Case) (Wrapped, error)
}

// Wrapped is one fork of a [Wrapper].
type Wrapped interface {
	// Next returns N of the next process, at least 1, or 0 after the last.
	Next() int64

	// Command returns the command to run instead of path with args.
	Command(path string, args []string) (string, []string)

	// Ran is called when the process of the last Command has succeeded, with the operations that it reported.
	Ran(ops int64) error

	// End is called once in any case and cleans up. After a failure its result is ignored. Values has at most one
	// element: there is one window. ops is the number of operations in it.
	End() (r Result, ops int64, err error)
}

// A Diagnoser is a [Wrapped] that may know why a process failed.
type Diagnoser interface {
	Wrapped

	// Diagnose is called when the process of the last Command has failed, with the end of its output. It returns nil if it
	// knows no other reason than the process gave.
	Diagnose(tail string) error
}

// Window is one measured iteration. Warm-up has none.
type Window struct {
	Iter        int   // of the fork, from 1, warm-up included
	Begin, End  int64 // CLOCK_MONOTONIC ns
	Ops         int64 // operations in it
	Timer       int64 // how long the benchmark's timer ran, ns; 0: not known
	OfBench     bool  // reported by package bench: the timer also ran before and after it
	Approximate bool  // its limits are the arrival of result lines, not marks of the fork, so it may include set-up
}

// UnavailableError is an error of Available or Build with advice.
type UnavailableError struct {
	Err    error  // why the machine or the toolchain does not support the profiler
	Advice string // one line
}

func (e *UnavailableError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *UnavailableError) Unwrap() error { return e.Err }

// Result is the result of a session.
type Result struct {
	Values []record.Values // values by unit for each window; nil if the profiler has none
	Lines  []record.Line   // attachments, warnings and overhead of the fork; the caller sets IDs
}
