package profiler

import (
	"context"

	"github.com/tarebench/tare/record"
)

// A Profiler observes forks.
type Profiler interface {
	// Name is a word of small letters: that of the flag, and the purpose of its forks.
	Name() string

	// Probe returns nil if this machine can serve the profiler, and else why it cannot, in words that fit
	// behind "not available: ".
	Probe() error

	// Needs says what the profiler asks of the forks that it observes.
	Needs() Needs
}

// Needs is what a profiler asks of forks. The zero value asks for nothing: it observes the forks that are timed.
type Needs struct {
	Forks bool     // forks of its own, because it disturbs
	Deep  bool     // hooks in package testing
	Rough bool     // does without them where there cannot be any, with windows that are rough
	Env   []string // K=V of the forks
	Nth   int      // forks of its own do one of so many operations of a timed one, where their number is fixed and was not asked for; 0: they measure for as long as --time
	Procs int      // GOMAXPROCS of forks of its own, whatever the benchmark's is; 0: that
	Slow  int      // how many times as long as a timed fork one of its own is expected to take, and may take before it is killed; 0 is once
}

// An Attacher looks at processes from outside.
type Attacher interface {
	Profiler

	// Attach begins to observe a process that has not executed its first instruction.
	Attach(pid int) (Session, error)
}

// A Preparer readies something for the half in the measured process to find, such as a directory for what is too
// large for the pipe. Unlike an [Attacher] it needs no process that can be held.
type Preparer interface {
	Profiler

	// Prepare is called before a fork is started, which gets env, K=V, into its environment.
	Prepare(f Fork) (s Session, env []string, err error)
}

// Fork is one that is about to start.
type Fork struct {
	Case   *record.Case
	Warmup int // of its iterations, which are numbered from 1: so many come before those that count
}

// A Builder has the test binaries of its own forks built from sources that it has changed.
type Builder interface {
	Profiler

	// Build is called before the test binary of a package is built, once for each side, and from several goroutines at a
	// time. What it has written stays until Close. An error is about this package, in words for people: others may be
	// fine. A [*ProbeError] is about the toolchain.
	Build(ctx context.Context, b Build) (Built, error)

	// Close removes what Build has written, when no fork is to come. It is called once in any case.
	Close() error
}

// Build is the test binary that a [Builder] is asked about.
type Build struct {
	Pkg   string   // import path, as in the cases of its benchmarks
	Side  string   // likewise
	Files []string // of its tests, those of the external test package too; absolute paths

	Dir   string   // where the go command runs
	Flags []string // that it gets
	Env   []string // its whole environment
}

// Built is what the go command needs in addition for a [Build].
type Built struct {
	Flags, Env []string
	Doubts     []*record.Warn // about the run

	// Check, if it is not nil, is called with the path of the binary, once that is built: what
	// the go command is told elsewhere may have led it to other sources.
	Check func(binary string) error
}

// A Session observes one process.
type Session interface {
	// End is called when the process has ended, with the windows that it measured in, in the order of time. It is
	// called once, also if the process failed or was never started: then there are no windows, and End tidies up.
	End(windows []Window) (Result, error)
}

// A Wrapper has its forks run by a program that watches them from within, such as an emulator that counts
// instructions. Such a program tells what a whole process did; so that a fork of a Wrapper may be several processes
// that differ in N, and what they have in common, start and set-up, cancels out.
type Wrapper interface {
	Profiler

	// Wrap begins a fork of c.
	Wrap(c *record.Case) (Wrapped, error)
}

// Wrapped is one fork of a [Wrapper].
type Wrapped interface {
	// Next returns the N of the next process, at least 1, or 0 if there has been enough.
	Next() int64

	// Command returns what to run in the place of path with args.
	Command(path string, args []string) (string, []string)

	// Ran is called when the process of the last Command has ended well, with the operations that it reported.
	Ran(ops int64) error

	// End is called once, in any case, and tidies up. Of a fork in which something failed the result is not looked
	// at. There is one window at most, so that Values has one element; ops are the operations in it.
	End() (r Result, ops int64, err error)
}

// Window is one measured iteration. Warm-up has none.
type Window struct {
	Iter       int   // of the fork, from 1, warm-up included
	Begin, End int64 // CLOCK_MONOTONIC ns
	Ops        int64 // operations in it
	Own        bool  // a benchmark of package bench has told of it: its timer ran before and behind it, too
	Rough      bool  // the edges are when result lines came, not marks of the fork: set-up may be inside
}

// ProbeError is an error of Probe, or of Build, that knows what to do about it.
type ProbeError struct {
	Err    error  // why the machine, or the toolchain, cannot serve the profiler
	Advice string // one line
}

func (e *ProbeError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *ProbeError) Unwrap() error { return e.Err }

// Result is what a session saw.
type Result struct {
	Values []record.Values // for each window: unit → value; nil if the profiler has none
	Lines  []record.Line   // attachments, doubts and tare of the fork; IDs are filled in by the caller
}
