package job

import (
	"strings"

	"github.com/tarebench/tare/internal/measure/profilers"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/record"
)

// Words that options take. The first is the default.
var (
	Corrections = []string{"bh", "holm", "none"}
	Tests       = []string{record.TestSavage, record.TestU}
	orders      = []string{plan.Interleaved, plan.Grouped}
)

// Options are the ways to set the fields of b, in the order of the help text.
func (b *Bench) Options() []Option {
	const measured = onAll &^ (OnWhy | OnSelftest) // by verbs that leave the length to the user
	const repeated = OnBench | OnCI | OnHistory
	const compared = OnBench | OnCI
	return []Option{
		{Name: "bench", Value: text(&b.Bench), Group: groupWhat, On: onAll &^ OnConfirm, Key: "benchmarks",
			Daily: OnBench | OnCI | OnAsm | OnBisect | OnHistory | OnWhy | OnSelftest,
			Help:  "run benchmarks that match this `regexp`, as go test -bench"},
		{Name: "skip", Value: text(&b.Skip), Group: groupWhat, On: repeated | OnAsm | OnSelftest, Key: "skip",
			Help: "leave out benchmarks that match this `regexp`"},
		{Name: "filter", Value: text(&b.Filter), Group: groupWhat, On: repeated | OnAsm, Key: "filter",
			Help: "choose by an `expression` of benchproc: /size:4k, .name:/Sort/, -pkg:x"},
		{Name: "gomaxprocs", Value: numbers(&b.Procs), Group: groupWhat, On: repeated | OnAsm | OnBisect, Key: "gomaxprocs",
			Daily: OnBisect,
			Help:  "`list` of GOMAXPROCS values, each its own case: 1,2,4; also --cpu"},
		{Name: "mode", Value: mode(&b.Mode), Group: groupWhat, On: OnBench,
			Help: "`N` (fixed operations) or time (needed by RunParallel) for all, instead of what each needs"},
		{Name: "tags", Value: text(&b.Tags), Group: groupWhat, On: onAll, Key: "tags",
			Daily: OnBisect,
			Help:  "build tags, comma-separated"},
		{Name: "with", Value: List{&b.With}, Group: groupWhat, On: OnBench | OnHistory | OnBisect | OnWhy,
			Daily: OnBisect | OnWhy,
			Help:  "give each revision this `file` of the working tree at the same path, such as a benchmark that it does not have; repeatable"},
		{Name: "env", Value: List{&b.Setenv}, Group: groupWhat, On: measured, Resumed: true,
			Help: "set a variable for the forks: `K=V`, repeatable"},
		{Name: "gogc", Value: text(&b.GOGC), Group: groupWhat, On: OnBench | OnHistory | OnConfirm,
			Help: "GOGC of the forks: a `percentage` or off"},
		{Name: "memory-limit", Value: size(&b.MemoryLimit), Group: groupWhat, On: OnBench | OnHistory | OnConfirm,
			Help: "GOMEMLIMIT of the forks, the same `size` for all"},
		{Name: "memory-max", Value: size(&b.MemoryMax), Group: groupWhat, On: OnBench,
			Help: "a fork that needs more memory than this `size` has failed; by a control group, or checked afterwards"},
		{Name: "gc-before", Value: flag(&b.GCBefore), Group: groupWhat, On: OnBench,
			Help: "collect garbage before each iteration, behind its set-up"},

		{Name: "forks", Value: number(&b.Forks), Group: groupLength, On: repeated | OnAsm | OnWhy, Key: "forks",
			Daily: OnBench | OnHistory | OnWhy | OnAsm, Overrules: []string{"precision"},
			Help: "forks per benchmark; with --precision the most"},
		{Name: "warmup", Value: number(&b.Warmup), Group: groupLength, On: measured &^ OnAsm, Key: "warmup",
			Help: "iterations of a fork that are recorded but do not count"},
		{Name: "iterations", Value: number(&b.Iterations), Group: groupLength, On: measured, Key: "iterations",
			Help: "measured iterations per fork; unset, often 8 shorter"},
		{Name: "time", Value: duration(&b.Time), Group: groupLength, On: onAll, Key: "time",
			Daily: OnBench | OnAsm | OnSelftest,
			Help:  "wall time of an iteration, set-up included"},
		{Name: "benchtime", Value: text(&b.Operations), Group: groupLength, On: measured, Overrules: []string{"time"},
			Help: "fix the operations per iteration: `Nx`"},
		{Name: "precision", Value: Share(&b.Precision), Group: groupLength, On: compared, Key: "precision",
			Daily: compared, Overrules: []string{"forks"},
			Help: "stop when every interval is within ± this `share`, as 1%; checked after 10, 20, 40, 80 rounds"},
		{Name: "budget", Value: duration(&b.Budget), Group: groupLength, On: compared | OnBisect | OnWhy | OnSelftest, Key: "budget",
			Daily: compared | OnBisect | OnWhy | OnSelftest,
			Help:  "the most that finding, calibrating and measuring may take; a round is always run, and benchmarks that do not fit are left out and named"},
		{Name: "spread", Value: duration(&b.Spread), Group: groupLength, On: OnBench, Overrules: []string{"precision", "budget"},
			Help: "spread the rounds over this time, in blocks; the interval is then over blocks"},
		{Name: "timeout", Value: duration(&b.Timeout), Group: groupLength, On: measured,
			Help: "wall time after which a fork is killed (default 10 times the expected time, at least 1m)"},
		{Name: "quick", Value: flag(&b.Quick), Group: groupLength, On: repeated,
			Daily: OnBench | OnHistory | OnCI, Overrules: []string{"forks", "warmup", "iterations", "time", "precision"},
			Help: "a first impression: --forks 6 --warmup 1 --iterations 1 --time 20ms"},
		{Name: "short", Value: flag(&b.Short), Group: groupLength, On: repeated | OnConfirm,
			Help: "have testing.Short() report true, as go test -short"},

		{Name: "against", Value: List{&b.Sides.Against}, Group: groupSides, On: OnBench | OnAsm | OnWhy,
			Daily: OnBench | OnAsm | OnWhy,
			Help:  "compare the working tree with this `revision`; it is measured interleaved, or saved:NAME names a record of --save; repeatable"},
		{Name: "side", Value: List{&b.Sides.Side}, Group: groupSides, On: OnBench | OnAsm | OnWhy,
			Daily: OnBench | OnAsm | OnWhy,
			Help:  "compare `NAME=X`, a directory or a revision; repeatable, the first is the base"},
		{Name: "side-by", Value: text(&b.SideBy), Group: groupSides, On: OnBench,
			Daily: OnBench,
			Help:  "compare benchmarks that differ in this `key` of their names: impl for /impl=a and /impl=b; the first value is the base"},
		{Name: "toolchain", Value: List{&b.Sides.Toolchain}, Group: groupSides, On: OnBench | OnAsm,
			Help: "build the side NAME with a toolchain: `NAME=go1.25.5`"},
		{Name: "side-env", Value: List{&b.Sides.Setenv}, Group: groupSides, On: OnBench | OnAsm | OnWhy,
			Help: "set a variable for building and running the side NAME: `NAME=K=V`"},
		{Name: "side-flags", Value: List{&b.Sides.Flags}, Group: groupSides, On: OnBench | OnAsm | OnWhy,
			Help: "build flags of the side NAME: `NAME='-gcflags=-l -pgo=x.prof'`"},
		{Name: "side-deep", Value: List{&b.Sides.Deep}, Group: groupSides, On: OnBench | OnAsm,
			Help: "--deep for the side `NAME` alone: what the hooks cost"},
		thresholdOption(&b.Threshold, compared|OnBisect|OnConfirm, OnCI|OnBisect|OnConfirm, "threshold"),
		{Name: "test", Value: text(&b.Test), Group: groupSides, On: compared, Key: "test", Words: Tests,
			Help: "test of times and rates: savage (of the forks' best iterations, and of their medians) or u (of their medians, as benchstat)"},
		{Name: "correction", Value: text(&b.Correction), Group: groupSides, On: compared, Key: "correction", Words: Corrections,
			Help: "correction of p-values for the number of rows: bh, holm or none"},
		{Name: "confidence", Value: Level(&b.Confidence), Group: groupSides, On: compared, Key: "confidence",
			Help: "`share`, as 95% or 0.95, of a benchmark's own interval"},

		{Name: "layouts", Value: number(&b.Layouts), Group: groupRun, On: compared | OnBisect | OnConfirm, Key: "layouts",
			Daily: OnBisect | OnConfirm,
			Help:  "link each binary in this many random code layouts, and measure them in turn"},
		seedOption(&b.Seed, onAll&^OnWhy, "the order"),
		{Name: "order", Value: text(&b.Order), Group: groupRun, On: OnBench, Words: orders, Overrules: []string{"precision"},
			Help: "interleaved (each round runs all once) or grouped"},
		{Name: "no-repeat", Value: flag(&b.NoRepeat), Group: groupRun, On: repeated,
			Help: "do not repeat forks during which others had the processors"},
		{Name: "no-priority", Value: flag(&b.NoPriority), Group: groupRun, On: repeated | OnBisect | OnConfirm,
			Help: "give forks no priority over other programs, which they get where that is allowed"},

		{Name: "prof", Value: words(&b.Profilers), Group: groupProfilers, On: OnBench, Words: profilers.Words(),
			Daily: OnBench,
			Help:  "`list` of profilers: " + profilers.Help()},
		{Name: "prof-forks", Value: number(&b.ProfForks), Group: groupProfilers, On: OnBench,
			Help: "forks per benchmark for each profiler that must not share them with the clock"},
		{Name: "include", Value: List{&b.Include}, Group: groupProfilers, On: OnBench,
			Help: "functions that --prof trace counts, by `pattern` as of tare trace; repeatable (default: all of the package)"},
		{Name: "exclude", Value: List{&b.Exclude}, Group: groupProfilers, On: OnBench,
			Help: "functions that --prof trace leaves alone, by `pattern`; repeatable"},
		{Name: "deep", Value: flag(&b.Deep), Group: groupProfilers, On: OnBench,
			Help: "build package testing with hooks: exact allocations, GC cycles, marks for profilers"},
	}
}

// thresholdOption is the option of the change between sides that does not matter.
func thresholdOption(to *float64, on, daily Verbs, key string) Option {
	return Option{
		Name: "threshold", Value: Share(to), Group: groupSides, On: on, Daily: daily, Key: key, Help: "change between sides that does not matter, a `share`",
	}
}

// seedOption is the option of the seed of something.
func seedOption(to *string, on Verbs, of string) Option {
	return Option{Name: "seed", Value: text(to), Group: groupRun, On: on, Help: "`seed` of " + of + ", hexadecimal (default: drawn and printed)"}
}

// mode is the value of a mode; a small n is N.
func mode(to *string) Value {
	return field[string]{to, "string", func(s string) (string, error) {
		if strings.EqualFold(s, record.ModeN) {
			s = record.ModeN
		}
		return s, nil
	}, func(s string) string { return s }}
}
