package diagnosis

import "github.com/tarebench/tare/record"

// Codes of the warnings about commands and programs.
const (
	ExitStatus = "exit-status"
	FirstRun   = "first-run"
	NoPeak     = "no-peak"
	NoThreads  = "no-threads"
	NoTotals   = "no-totals"
	Shortened  = "shortened"
	StartCost  = "start-cost"
)

const (
	slowFirst    = "the first run took {factor} times as long as the median of the others: "
	dominates    = "start-up dominates; "
	startsSlowly = "other processes had the processors: starting an empty process took {median}, the fastest of {starts} took {fastest}[. Starting takes {share} of a run or more]"
	totals       = "allocated bytes and objects, collections and threads"
	quietRepeat  = "repeat on a quieter machine"
)

var commands = []Kind{
	{
		Code: ExitStatus, Scope: record.AboutCase,
		Sentence: "{failed} of {runs} runs count though they failed; the last one {how}",
		When:     "`tare time`: failed runs are included, because the options say so",
	},
	{
		Code: FirstRun, Scope: record.AboutCase,
		Sentence: slowFirst + "its files may not have been cached yet",
		Advice:   "--warmup 1 leaves it out, --prepare can make every run cold",
		Forms: []Form{
			{Name: "read", Sentence: slowFirst + "its files were not cached yet"},
			{Name: "busy", Sentence: slowFirst + "other processes had the processors meanwhile", Advice: quietRepeat + "; --warmup 1 leaves it out"},
		},
		When: "`tare time`: the first run took much longer than the others. The text names the likely cause: " +
			"files that were not cached, if the first run had page faults with input that the others had not; " +
			"other processes, if they had the processors; otherwise a cache",
	},
	{
		Code: NoPeak, Scope: record.AboutCase,
		Sentence: "peak RSS of some runs is not known: {why}",
		Forms:    []Form{{Name: "below", Sentence: "peak RSS is that of {known} of {runs} runs; that of the others is below {below}"}},
		When:     "`tare time`: peak memory of some runs is not known, or only that it is below the launcher's",
	},
	{
		Code: NoThreads, Scope: record.AboutCase,
		Sentence: "CPU time of threads: not available: {why}",
		When:     "`tare time`: the CPU time of the threads of a program of `go run` is not known",
	},
	{
		Code: NoTotals, Scope: record.AboutCase,
		Sentence: totals + ": not available: {why}",
		Forms:    []Form{{Name: "some", Sentence: totals + " are those of {known} of {runs}; of the last other one: {why}"}},
		When: "`tare time`: a program of `go run` has no figures of its runtime in some or all runs. It ended by " +
			"a signal, a panic, syscall.Exit or exec, or its toolchain is not supported",
	},
	{
		Code: Shortened, Scope: record.AboutRun,
		Sentence: "the record holds {path} of {fullPath} steps of the path, and {tree} of {fullTree} elements of the tree: more make its line too long",
		Advice:   "-o FILE.trace.json and -o FILE.json hold all of it",
		When:     "`tare trace`: the path or the tree of calls is too long for a line of the record",
	},
	{
		Code: StartCost, Scope: record.AboutCase,
		Sentence: "starting a process alone takes {share} of a run",
		Advice:   dominates + "use a longer workload",
		Forms: []Form{
			{Name: "shell", Advice: dominates + "leave out --shell"},
			{Name: "busy", Sentence: startsSlowly, Advice: quietRepeat + "[longer?; use a longer workload]"},
			{Name: "busy-shell", Sentence: startsSlowly, Advice: quietRepeat + "[longer?; leave out --shell]"},
		},
		When: "`tare time`: the start of a process takes more than a tenth of the measured time. If the median " +
			"start of an empty process takes more than twice the fastest of at least five, other processes had " +
			"the processors: the text says so, and the share is that of the fastest start",
	},
}
