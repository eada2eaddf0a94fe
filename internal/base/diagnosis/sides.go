package diagnosis

import "github.com/tarebench/tare/record"

// Codes of the warnings about comparisons of sides.
const (
	BuildDiffers     = "build-differs"
	Environment      = "environment"
	MadeApart        = "made-apart"
	NamesUnknown     = "names-unknown"
	NotInterleaved   = "not-interleaved"
	OneBinary        = "one-binary"
	OneSide          = "one-side"
	OtherUnits       = "other-units"
	RepeatedForks    = "repeated-forks"
	SameCode         = "same-code"
	SameRun          = "same-run"
	UnequalSpread    = "unequal-spread"
	UnitTwice        = "unit-twice"
	UnlikeConditions = "unlike-conditions"
	UnlikeForks      = "unlike-forks"
)

const looksLikeChange = ": a drift of the machine between them looks like a difference"

// sameBinary are the sentences about one binary on both sides, by what differs.
const (
	sameBinary      = "the same binary on both sides: "
	itsEnvironment  = sameBinary + "what differs is its environment[, {settings}]"
	filesUnknown    = sameBinary + "whether the files that it reads differ is not known"
	itsFiles        = sameBinary + "what differs is files that it can read"
	filesOrMachine  = itsFiles + ", the machine or its environment"
	onlyTheMachine  = "the same binary on both sides, with the same files and settings: what differs is the machine or its environment"
	compareMachines = "compare the environment variables, the processors and the machines of both runs, then measure both again"
)

// binaryForms are the sentences of both codes about one binary.
func binaryForms(advice string) []Form {
	return []Form{
		{Name: "environment", Sentence: itsEnvironment, Advice: advice},
		{Name: "files-unknown", Sentence: filesUnknown, Advice: advice},
		{Name: "files", Sentence: itsFiles, Advice: advice},
		{Name: "files-or-machine", Sentence: filesOrMachine, Advice: advice},
		{Name: "machine", Sentence: onlyTheMachine, Advice: advice},
	}
}

var sides = []Kind{
	{
		Code: BuildDiffers, Scope: record.AboutRun, Trust: Times, Anchor: "build-settings",
		Sentence: "{side} is not built as {base}: {settings}",
		Advice:   "build both alike, or ask for the difference: --side-flags, --side-env",
		When:     "the binaries of the sides were built with other settings, and neither `--side-flags` nor `--side-env` asks for it",
	},
	{
		Code: Environment, Scope: record.AboutRun, Trust: Everything,
		Sentence: "{side} is not {base}: {difference}",
		Advice:   "compare like with like, unless this is the question",
		Forms:    []Form{{Name: "plan", Sentence: "{difference}", Advice: "compare runs of one plan"}},
		When: "the files compared differ in CPU, cores, system, kernel, toolchain, GOMAXPROCS, GOGC, memory " +
			"limit, environment, arguments, build tags, hooks, layouts, priority, N, or the planned iterations " +
			"and their time",
	},
	{
		Code: MadeApart, Scope: record.AboutCase,
		Sentence: "different runs: two runs here may differ by {difference}; a smaller change is undecided",
		Advice:   "measure both in one run, interleaved: tare bench --against REV, or --side NAME=DIR",
		When:     "the sides come from two runs, which may differ by more than the change does",
	},
	{
		Code: NamesUnknown, Scope: record.AboutRun,
		Sentence: "not compared: {names}: the names differ in secrets alone, which are hidden, and a record does not say which is which",
		Advice:   "measure again with this version of tare, or name the benchmarks without secrets",
		When: "names of benchmarks differ only in a hidden secret, as in `?sig=***`, and the record has no hashes " +
			"of the names (`name_hash` of a case). Which belong together is not known, and none is compared",
	},
	{
		Code: NotInterleaved, Scope: record.AboutRun, Trust: Times,
		Sentence: "the sides were measured in different runs" + looksLikeChange,
		Advice:   inOneRun,
		Forms:    []Form{{Name: "grouped", Sentence: "the sides were measured one after the other" + looksLikeChange, Advice: "leave out --order grouped"}},
		When:     "the sides were measured in different runs, or with `--order grouped`",
	},
	{
		Code: OneBinary, Scope: record.AboutCase, Trust: Everything, Forms: binaryForms(compareMachines),
		When: "the figures of two runs of the same binary differ. The cause is the machine, its environment, or " +
			"files that the benchmarks read",
	},
	{
		Code: OneSide, Scope: record.AboutRun,
		Sentence: "{side} lacks {names}",
		Forms:    []Form{{Name: "key", Sentence: "no /{key}= in the name of {names}"}},
		When: "only one side has a benchmark: it is listed, and not compared. One that only the first side has is " +
			"lost",
	},
	{
		Code: OtherUnits, Scope: record.AboutRun,
		Sentence: "{benchmark} reports [{ofBase} only on side {base}][both?, and ][{ofSide} only on side {side}]: only what both report is compared",
		When:     "a benchmark reports other units on another side",
	},
	{
		Code: RepeatedForks, Scope: record.AboutRun, Trust: Times,
		Sentence: "forks are in the record more than once: each counts once",
		Advice:   "the file was put together from copies; go back to the record as it was written",
		When:     "forks are in the record more than once, for example in a file put together from copies",
	},
	{
		Code: SameCode, Scope: record.AboutCase, Name: "the same machine code on both sides",
		Sentence: "the benchmark's own machine code is the same on both sides",
		Advice:   "what can still differ: the runtime and deeper parts of the standard library, calls through interfaces, data, the environment, where the linker placed the code (--layouts 4), the machine",
		Forms:    binaryForms("-"),
		When: "the benchmark's function, its closures and what these call directly have the same machine code on " +
			"both sides, although the binaries differ. Or both sides are one binary in different environments. " +
			"Calls are followed through all packages except the runtime and package testing; in the standard " +
			"library only the first functions are compared. Addresses are compared by their contents. Two " +
			"records are compared by `code` of a case, a digest. Linux on amd64 only; a run without sides reads " +
			"at most 1000 functions of each binary",
	},
	{
		Code: SameRun, Scope: record.AboutRun, Trust: Times,
		Sentence: "{base} and {side} are records of one run",
		Advice:   "compare records of two runs",
		When:     "two sides are records of one run",
	},
	{
		Code: UnequalSpread, Scope: record.AboutCase, Trust: Times, MachineMayCause: true, Name: "one side spreads much more",
		Sentence: "the forks of {base} spread by {baseSpread}, those of {side} by {sideSpread}: what differs is not a factor",
		Advice:   "look at the forks in order (-v), and at the bootstrap interval of the ratio of medians in --format json",
		When:     "from 10 forks a side: the robust CV of one side's forks is 5 % or more, and 3 times that of the other's",
	},
	{
		Code: UnitTwice, Scope: record.AboutRun,
		Sentence: "{file}: {lines} a unit twice, first {first}, and the first value counts",
		Advice:   "correct the text",
		When:     "lines of benchmark text report a unit twice",
	},
	{
		Code: UnlikeConditions, Scope: record.AboutRun, Trust: Times,
		Sentence: "{side} was not measured under the conditions of {base}: {difference}. A difference between the two may be one of the machine, and no earlier runs tell how large that is",
		Advice:   inOneRun,
		When: "other programs were busy in different ways during the runs compared: the median loss differs by " +
			"more than 5 points and a third of the larger one, or the reference loop `l3` by a factor of more " +
			"than 1.5",
	},
	{
		Code: UnlikeForks, Scope: record.AboutCase, Trust: Times,
		Sentence: "forks of {side} had {difference} of {base}",
		Advice:   "measure both alike, best in one run: tare bench --against REV, or --side NAME=DIR",
		When: "forks of a benchmark differ between the files compared: in their iterations, in who chose N, or in " +
			"whether other benchmarks shared the process",
	},
}
