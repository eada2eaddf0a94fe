package diagnosis

import "github.com/tarebench/tare/record"

// Codes of the warnings of runs of benchmarks.
const (
	LeftOut             = "left-out"
	Lost                = "lost"
	MemoryMaxUnenforced = "memory-max-unenforced"
	NoHooks             = "no-hooks"
	NotProfiled         = "not-profiled"
	ParallelFixedN      = "parallel-fixed-n"
	Pipe                = "pipe"
	ResumedElsewhere    = "resumed-elsewhere"
	Selftest            = "selftest"
	SharedProcess       = "shared-process"
	Skipped             = "skipped"
	Uncalibrated        = "uncalibrated"
)

var benchmarks = []Kind{
	{
		Code: LeftOut, Scope: record.AboutRun,
		Sentence: "--budget {budget} does not hold all benchmarks, left out: {benchmarks}",
		Advice:   "use --budget {enough} or more, which holds a round of all, or choose them with --bench",
		When:     "a round of these benchmarks does not fit into `--budget`: they were not measured",
	},
	{
		Code: Lost, Scope: record.AboutCase,
		Sentence: "{side}: {why}",
		Forms: []Form{
			{Name: "calls", Scope: record.AboutFork, Sentence: "trace: no room for {calls} calls: they are counted by function, but missing in times, tree and path", Advice: "match fewer functions, by --include"},
		},
		When: "a side lacks a benchmark of the first side: the text says why, as far as sources and build tell. " +
			"`--prof trace`: calls beyond the memory limit are counted, and excluded from times, tree and path",
	},
	{
		Code: MemoryMaxUnenforced, Scope: record.AboutRun,
		Sentence: "--memory-max is not enforced: {why}. A fork whose peak RSS is above it still has failed",
		Advice:   "systemd-run --user --scope tare bench …, or run it as root",
		When:     "no control group could be made for `--memory-max`; the peak RSS of each fork was checked when it had ended",
	},
	{
		Code: NoHooks, Scope: record.AboutRun,
		Sentence: "measured without the hooks of {option}: {why}",
		Advice:   "leave out {option}, or remove what prevents it; hooks fit go1.25 and go1.26",
		When:     "`--deep`, or a profiler that needs it, was asked for, and package testing of this toolchain cannot have hooks",
	},
	{
		Code: NotProfiled, Scope: record.AboutRun,
		Sentence: "{why}",
		Advice:   "its benchmarks are measured without that profiler",
		Forms: []Form{
			{Name: "shared", Scope: record.AboutCase, Sentence: "it shares its processes with other benchmarks: a profiler would not know whose figures it reads", Advice: "its times are measured without profilers"},
		},
		When: "a profiler that changes the sources of a build, such as `--prof trace`, cannot do so with a " +
			"package, or nothing matches in it. Or benchmarks share a process",
	},
	{
		Code: ParallelFixedN, Scope: record.AboutCase, Trust: Times,
		Sentence: "RunParallel with a fixed N: its workers fight over a counter, up to 36 times slower than they are",
		Advice:   "leave out --benchtime and --mode N for this benchmark",
		When:     "`--benchtime Nx` or `--mode N` on a benchmark that reaches `RunParallel`",
	},
	{
		Code: Pipe, Scope: record.AboutFork,
		Sentence: "{lines} lines that it wrote to {variable} were dropped; the first: {why}",
		Advice:   "the program that writes there is not of this tare version, or was interrupted",
		When:     "a measured process wrote lines to the pipe of tare that are not of its protocol",
	},
	{
		Code: ResumedElsewhere, Scope: record.AboutRun, Trust: Times,
		Sentence: "resumed on another machine: {cpu}, {cores} cores, {kernel}",
		Advice:   "forks of different machines do not belong into one interval: start a new run",
		When:     "`--resume` on a machine of another CPU, number of cores or kernel",
	},
	{
		Code: Selftest, Scope: record.AboutRun,
		Sentence: "the same binary on both sides, in short forks: none of this is a score",
		Advice:   "tare selftest --show FILE prints it",
		When:     "the record is of a self-test: both sides are the same binary",
	},
	{
		Code: SharedProcess, Scope: record.AboutCase, Anchor: "groups-of-sub-benchmarks",
		Sentence: "{benchmarks} of {group} share each process, one after the other in its order: {why}",
		Advice:   "compare each with itself on another side, not with the others; to have processes of its own, a sub-benchmark must run alone, with little set-up around it",
		When:     "sub-benchmarks of one function were measured by one process in each round",
	},
	{
		Code: Skipped, Scope: record.AboutRun,
		Sentence: "skipped, or without results: {benchmarks} ({names})",
		Advice:   "go test -v -run '^$' -benchtime 1x -bench NAME prints why a benchmark skips itself",
		When: "benchmark functions match `--bench` and gave no result: they skip themselves, or have no " +
			"sub-benchmarks. Sub-benchmarks that skip themselves are not noticed. This is not checked with " +
			"`--skip`, `--filter` or a pattern with a slash",
	},
	{
		Code: Uncalibrated, Scope: record.AboutCase,
		Sentence: "--budget was spent before N was found: package testing chose it in each fork",
		Advice:   "use a longer --budget, or fewer benchmarks",
		When:     "`--budget` was spent before N was found: package testing chose it in each fork",
	},
}
