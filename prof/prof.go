package prof

import "github.com/tarebench/tare/record"

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
	Flags []string // of the build, as "-gcflags=-l"
	Env   []string // K=V of the forks
}

// An Attacher looks at processes from outside.
type Attacher interface {
	Profiler

	// Attach begins to observe a process that has not executed its first instruction.
	Attach(pid int) (Session, error)
}

// A Session observes one process.
type Session interface {
	// End is called when the process has ended, with the windows that it measured in, in the order of time.
	End(windows []Window) (Result, error)
}

// Window is one measured iteration. Warm-up has none.
type Window struct {
	Iter       int   // of the fork, from 1, warm-up included
	Begin, End int64 // CLOCK_MONOTONIC ns
	Ops        int64 // operations in it
	Rough      bool  // the edges are when result lines came, not marks of the fork: set-up may be inside
}

// Result is what a session saw.
type Result struct {
	Values []record.Values // for each window: unit → value; nil if the profiler has none
	Lines  []record.Line   // attachments, doubts and tare of the fork; IDs are filled in by the caller
}
