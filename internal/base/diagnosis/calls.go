package diagnosis

import "github.com/tarebench/tare/record"

// Codes of the warnings about calls that probes counted.
const (
	BeyondPlain = "beyond-plain"
	Dominated   = "dominated"
	Estimates   = "estimates"
	NotEnded    = "not-ended"
	Shared      = "shared"
	System      = "system"
	Uncertain   = "uncertain"
	Waited      = "waited"
	Window      = "window"
)

const (
	upperBounds   = ": corrected and self times are upper bounds (≤)"
	quieterExact  = "a quieter machine; calls are exact"
	whileTimerRan = "calls were counted while testing's timer ran, and operations "
)

var calls = []Kind{
	{
		Code: BeyondPlain, Scope: record.AboutFork, Anchor: "times-without-probes",
		Sentence: "without probes the functions take {factor} times what the operations take in forks without probes" + upperBounds,
		Advice:   "a quieter machine, or fewer functions, by --include; calls are exact",
		When: "`--prof trace`, one goroutine: without probes, the functions take at least 1.1 times what the " +
			"operations take in forks without probes, and a probe cost of 0.5 to 3 times the measured one does " +
			"not explain it. The excess is waiting, or probes that cost more than when they were measured. " +
			"Where this cannot be checked, the text says so",
	},
	{
		Code: Dominated, Scope: record.AboutFork,
		Sentence: "the probe dominates {functions} (!): most of the time is that of probes, and what is left is not to be relied on: {names}",
		Advice:   "[program?time one call of 100 by --every 100, or none by --count-only][every?only count, by --count-only][benchmark?go by its calls, which are exact]",
		When:     "`tare trace`, `--prof trace`: less than a fifth of a function's time is without probes",
	},
	{
		Code: Estimates, Scope: record.AboutFork,
		Sentence: "first calls and one of {every} others were timed: counts are exact, times are estimates (≈)",
		When:     "`tare trace --every 100`: not all calls were timed",
	},
	{
		Code: NotEnded, Scope: record.AboutFork,
		Sentence: "the program did not end by itself: it was killed, crashed, or still runs; calls under way then have no time",
		When:     "`tare trace`: the program did not end by itself",
	},
	{
		Code: Shared, Scope: record.AboutFork, Machine: true,
		Sentence: "other processes had {share} of the processors: times of short calls are too long, also without probes, up to several times; corrected and self times are upper bounds (≤)",
		Advice:   quieterExact,
		When: "`tare trace`: other processes, or a hypervisor, used at least a tenth of the processors' time. A " +
			"probe then costs more than at the program's start, so that corrected and self times, also of short " +
			"calls, are upper bounds (≤)",
	},
	{
		Code: System, Scope: record.AboutFork,
		Sentence: "{calls} ran on threads' own stacks: counted, and excluded from times, tree and path (≥): {names}",
		When:     "`tare trace`: calls on threads' own stacks are counted, and excluded from times, tree and path",
	},
	{
		Code: Uncertain, Scope: record.AboutFork, Anchor: "times-without-probes",
		Sentence: "what is left of {functions} without probes may be off by more than {share} (?): probes of many short calls took as much, or more: {names}",
		Advice:   "leave out the short functions that they call, by --exclude, or sample by {by}",
		When: "`tare trace`, `--prof trace`: the times of functions without probes may be off by more than a " +
			"fifth (`?`, or a bound `<`)",
	},
	{
		Code: Waited, Scope: record.AboutFork, Machine: true,
		Sentence: "the program waited for {share} of its time for a processor that others had: its waits are part of all times, and corrected and self times are upper bounds (≤)",
		Advice:   quieterExact,
		When: "`tare trace`, `--prof trace`: the process waited for a processor for at least 5 % of the time in " +
			"which it could run. The waits are part of all times, and corrected and self times are upper bounds " +
			"(≤)",
	},
	{
		Code: Window, Scope: record.AboutFork,
		Sentence: "trace: " + whileTimerRan + "only in the shorter window of package bench: calls per operation are too high",
		Advice:   "a longer --time makes the difference smaller",
		Forms: []Form{
			{Name: "calls", Sentence: whileTimerRan + "in a window of package bench: calls per operation (≈) are too many by what begins and ends it", Advice: "-"},
			{Name: "marks", Sentence: "the window is approximate: it is the time between result lines, so that set-up may be among the samples", Advice: "deep mode gives the marks of the iterations"},
		},
		When: "`tare asm`: the measured iterations are known only by the times of result lines, so that samples " +
			"may include set-up. `--prof trace` of a benchmark of package bench: calls were counted while " +
			"testing's timer ran, operations only in the window within it",
	},
}
