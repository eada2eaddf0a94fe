package diagnosis

import "github.com/tarebench/tare/record"

// Codes of the warnings of profilers.
const (
	FewOperations   = "few-operations"
	ManyStops       = "many-stops"
	Multiplexed     = "multiplexed"
	NoLines         = "no-lines"
	NoMatch         = "no-match"
	OtherProcessor  = "other-processor"
	Serialised      = "serialised"
	StoppedIncluded = "stopped-included"
	TraceFull       = "trace-full"
	UserOnly        = "user-only"
)

const stopLess = "a smaller --time, or a smaller N with --benchtime"

var profilers = []Kind{
	{
		Code: FewOperations, Scope: record.AboutFork,
		Sentence: "instructions: the slope is over {operations}: what happens once in a process, such as a garbage collection, weighs much",
		Advice:   "compare such counts only beyond several percent, or give a larger N by --benchtime",
		When:     "the instructions of an operation are the slope over fewer than 20 operations",
	},
	{
		Code: ManyStops, Scope: record.AboutFork,
		Sentence: "the timer was stopped more often than could be noted: only samples of the first {share} of the measured time count, and operations are in proportion",
		Advice:   stopLess,
		When:     "a benchmark stopped its timer more often than can be recorded: the rest is excluded",
	},
	{
		Code: Multiplexed, Scope: record.AboutFork,
		Sentence: "counter: events shared the processor's counters and are scaled up from a part of the time: {events}",
		Advice:   "repeat with fewer events, or trust their ratios less",
		When:     "events of the processor were counted for a part of the time, and scaled up",
	},
	{
		Code: NoLines, Scope: record.AboutFork,
		Sentence: "instructions: the rows of valgrind's file do not add up to its sum; there are no instructions by line",
		Advice:   "another version of valgrind may help; the figure per operation is not affected",
		When:     "the counts by line in valgrind's file do not add up to its total",
	},
	{
		Code: NoMatch, Scope: record.AboutRun,
		Sentence: "trace: {package}: {why}",
		Advice:   "functions that match the other patterns are counted",
		Forms:    []Form{{Name: "skip", Sentence: "trace: {package}: nothing is skipped: {why}", Advice: "ignore this if the pattern is meant for another package"}},
		When:     "one of several patterns of `--include` or `--exclude` matches no function in one of the packages",
	},
	{
		Code: OtherProcessor, Scope: record.AboutFork,
		Sentence: "instructions: {share} of them are in functions that may execute others on this machine, whose processor has {features} and valgrind's has not: {functions}",
		Advice:   "--prof counter counts what this processor executes, where it has a counter",
		When: "at least 1 % of the instructions are in functions that choose code by the processor: assembly of " +
			"some packages of the standard library and of all other packages, and the garbage collector's scan",
	},
	{
		Code: Serialised, Scope: record.AboutFork,
		Sentence: "instructions: counted with GOMAXPROCS=1, because valgrind runs one thread at a time; RunParallel then distributes single operations",
		Advice:   "the figure is the cost of an operation without contention",
		When:     "the instructions of a benchmark with `RunParallel` were counted",
	},
	{
		Code: StoppedIncluded, Scope: record.AboutFork,
		Sentence: "when the timer stood is not known: if it did, samples of that time count, too[: {why}]",
		Advice:   "[room for files in {directory}]",
		Forms: []Form{
			{Name: "counter", Sentence: "counter: the timer was stopped for {share} of the window, which is counted, too", Advice: "set up outside of the loop"},
			{Name: "usage", Sentence: "usage: the timer was stopped for {share} of the window; CPU time, switches and faults of that are in the figures, too", Advice: "set up outside of the loop"},
		},
		When: "a profiler's figures cover time in which the benchmark had stopped its timer",
	},
	{
		Code: TraceFull, Scope: record.AboutFork,
		Sentence: "sched: the trace became too large and was stopped: figures are scaled up from the first {share} of the windows",
		Advice:   stopLess,
		When:     "the execution trace of `--prof sched` became too large",
	},
	{
		Code: UserOnly, Scope: record.AboutFork,
		Sentence: "counter: only user mode is counted: the kernel does not let us see its own",
		Advice:   "as root, or with kernel.perf_event_paranoid at 1 or less, both are",
		When:     "the kernel does not let `--prof counter` count events in kernel mode",
	},
}
