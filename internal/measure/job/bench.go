package job

import (
	"time"

	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Bench says which benchmarks are measured, and how. The zero value measures nothing; begin with [DefaultBench].
type Bench struct {
	// Packages are patterns as of the go command, or path@version for anybody's module.
	Packages []string
	// Bench is a regular expression that benchmarks match, with a part for each level of sub-benchmarks, as go test
	// -bench.
	Bench string
	// Skip is a regular expression of benchmarks that are left out. "": none.
	Skip string
	// Filter chooses by an expression of package benchproc, such as "/size:4k". "": all.
	Filter string
	// Procs are values of GOMAXPROCS. Each benchmark is measured with each of them. None: that of Setenv, else of this
	// process.
	Procs []int

	// Forks is the number of processes for each benchmark and side, at least 1. With Precision it is the largest number.
	Forks int
	// Warmup is the number of iterations of a fork that are recorded and excluded from the results.
	Warmup int
	// Iterations is the number of measured iterations of a fork, at least 1.
	Iterations int
	// Time is the wall time of an iteration, set-up included. With Operations it has no meaning.
	Time time.Duration
	// ShortIterations allows iterations shorter than Time, and as many more, where the benchmark allows it.
	ShortIterations bool
	// Operations fixes the operations of an iteration: "100x". It cannot be used together with Mode time. "": what Time
	// holds.
	Operations string
	// Mode is record.ModeN (a fixed number of operations) or record.ModeTime, for all benchmarks. "": what each needs.
	Mode string
	// Timeout is the wall time after which a fork is killed. 0: ten times its expected duration, at least a minute.
	Timeout time.Duration
	// Precision is the target for the half-width of each interval, relative to the benchmark's median: 0.01 is ± 1 %. The
	// run ends when all intervals reach it, or after Forks rounds. They are checked after 10, 20, 40 and 80 rounds. 0: no target.
	Precision float64
	// Budget is the time that finding, calibrating and measuring may take. One round is always run. 0: no limit.
	Budget time.Duration
	// Spread is the time over which blocks of rounds are distributed. An interval is then computed from one value for each
	// block. It cannot be used together with Precision. 0: there is no pause between rounds.
	Spread time.Duration
	// Quick makes 6 forks of one iteration of 20 ms, unless these were given.
	Quick bool

	// GOGC of the forks: a percentage, or off. "": as it is.
	GOGC string
	// MemoryLimit is GOMEMLIMIT of the forks, in bytes. 0: as it is.
	MemoryLimit int64
	// MemoryMax is the memory in bytes above which a fork has failed. 0: no limit.
	MemoryMax int64
	// GCBefore collects garbage before each iteration, after its set-up.
	GCBefore bool
	// Setenv are settings K=V of the environment of forks.
	Setenv []string
	// Args are flags and arguments of the test binaries, besides those that tare sets.
	Args []string
	// Short has testing.Short report true.
	Short bool
	// Tags are build tags, separated by commas.
	Tags string
	// With are files of the working tree that each revision is given at the same path.
	With []string

	// Sides says what is compared with what. None: the working tree is measured alone.
	Sides Sides
	// SideBy is a key in the names of sub-benchmarks, such as impl in /impl=a. Benchmarks that differ only in its value
	// are compared with each other; the first value is the base. Benchmarks without the key are not measured. It cannot be
	// used together with Sides. "": none.
	SideBy string
	// Threshold is the relative change that does not matter, 0.03 is 3 %.
	Threshold float64
	// Test compares times and rates: record.TestSavage or record.TestU.
	Test string
	// Correction of p-values for the number of rows: bh, holm or none.
	Correction string
	// Confidence is that of a benchmark's own interval, between 0 and 1.
	Confidence float64
	// Layouts is the number of random code layouts in which each binary is linked, at least 2; 0: one, as go links it.
	Layouts int

	// Profilers are names of profilers; -NAME leaves out one that another includes.
	Profilers []string
	// ProfForks is the number of forks of a benchmark for each profiler that must not share them with the clock, at
	// least 1.
	ProfForks int
	// Include and Exclude are patterns of functions that profiler trace counts, or leaves alone. None: all of the package.
	Include, Exclude []string
	// Deep builds package testing with hooks.
	Deep bool

	// Seed of the order, hexadecimal. "": it is drawn.
	Seed string
	// Order is plan.Interleaved, where each round runs all benchmarks once, or plan.Grouped.
	Order string
	// NoRepeat keeps forks during which other programs had the processors, instead of repeating them.
	NoRepeat bool
	// NoPriority gives forks no priority over other programs.
	NoPriority bool

	// Given are the options that somebody set. What was not set may follow from what was: see [Bench.Complete].
	Given Given
}

// DefaultProfForks are as many forks as a 99 % interval of a median needs, and two to spare.
const DefaultProfForks = 10

// DefaultBench returns the defaults of tare bench.
func DefaultBench() Bench {
	return Bench{
		Packages: []string{"."}, Bench: ".",
		Forks: 20, Warmup: 1, Iterations: 2, Time: 50 * time.Millisecond, ShortIterations: true,
		Threshold: 0.03, Test: record.TestSavage, Correction: Corrections[0], Confidence: stat.DefaultConfidence,
		ProfForks: DefaultProfForks, Order: plan.Interleaved,
	}
}

// Complete sets what follows from options that were given, and was not given itself.
func (b *Bench) Complete() {
	set := func(name string, do func()) {
		if !b.Given[name] {
			do()
		}
	}
	if b.Precision > 0 {
		set("forks", func() { b.Forks = plan.MaxRounds })
	}
	if b.Quick {
		set("forks", func() { b.Forks = 6 })
		set("iterations", func() { b.Iterations = 1 })
		set("time", func() { b.Time = 20 * time.Millisecond })
	}
	// Who asks for an iteration's length, or for their number, gets it.
	b.ShortIterations = b.ShortIterations && !b.Given.any("time", "iterations", "benchtime", "mode", "quick")
}
