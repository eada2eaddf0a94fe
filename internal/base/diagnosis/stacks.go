package diagnosis

import "github.com/tarebench/tare/record"

// Codes of the warnings about samples of call stacks.
const (
	FewLooks      = "few-looks"
	LooksCoarse   = "looks-coarse"
	LooksLate     = "looks-late"
	LooksLost     = "looks-lost"
	LooksOutside  = "looks-outside"
	LooksSlowed   = "looks-slowed"
	LooksSpared   = "looks-spared"
	LooksStarved  = "looks-starved"
	StacksCut     = "stacks-cut"
	StacksUnknown = "stacks-unknown"
)

const (
	longerInterval = "a longer --sample-interval can be kept"
	target         = "target: a sample every {target} of CPU time"
	achieved       = target + ", achieved: one every {achieved}: "
	byAchieved     = "; times are computed from the achieved interval"
	forLonger      = "[benchmark?use more or longer forks (--prof-forks, --time): ][program?sample for longer: ][{enough} samples take {time}][--duration {duration}][cpu? of CPU time]"
	shorter        = "[benchmark?use a shorter --time][program?use a longer --sample-interval, or a shorter run]"
)

var stacks = []Kind{
	{
		Code: FewLooks, Scope: record.AboutFork,
		Sentence: "{samples}[fork? in this fork]: a share of 10 % is known to within ±{error}[fork? by this fork alone]",
		Advice:   forLonger,
		Forms: []Form{
			{Name: "none", Sentence: "no sample: nothing is known of the program"},
			{Name: "idle", Sentence: "no sample[ in {time}]: the process used no CPU time", Advice: "sample while it works, or by the clock: --wall --url"},
		},
		When: "fewer than 100 samples were taken: a share of 10 % has an error of ± 3 points with 100 samples, ± " +
			"10 with 9",
	},
	{
		Code: LooksCoarse, Scope: record.AboutFork,
		Sentence: achieved + "some are missing" + byAchieved,
		Advice:   "sample for longer",
		Forms: []Form{
			{Name: "url", Sentence: achieved + "net/http/pprof has a fixed interval" + byAchieved, Advice: longerInterval},
			{Name: "kernel", Sentence: achieved + "the kernel does not allow more" + byAchieved, Advice: longerInterval},
			{Name: "ticks", Sentence: achieved + "Go's profiler samples at the kernel's ticks" + byAchieved, Advice: "perf events have shorter intervals: tare sample -- PROGRAM"},
			{Name: "unknown", Sentence: target + "; the achieved interval is unknown: times are computed from the target, and may be too short", Advice: "use the shares"},
		},
		When: "samples by CPU time came at less than two thirds of the target rate. Go's own profiler uses the " +
			"kernel's ticks, and net/http/pprof takes 100 samples a second. Times use the achieved interval",
	},
	{
		Code: LooksLate, Scope: record.AboutFork, Machine: true,
		Sentence: "{late} of {samples} samples came late or not at all, because other threads had the processors: functions that run when those pause are seen too often",
		Advice:   "repeat on a quieter machine, or give tare CAP_SYS_NICE for real-time priority",
		When: "more than a 20th of the samples were late by more than a tenth of the interval, or were skipped " +
			"for that, because other threads had the processors. Functions that run when those pause are " +
			"overestimated",
	},
	{
		Code: LooksLost, Scope: record.AboutFork,
		Sentence: "{samples} samples were lost, because there was no room for them",
		Advice:   shorter,
		Forms:    []Form{{Name: "full", Sentence: "the room for samples was full after {after}: the last {missing} of the program are missing"}},
		When:     "the buffer was full: samples were lost, or the end of the run was not sampled",
	},
	{
		Code: LooksOutside, Scope: record.AboutFork,
		Sentence: "a process that is sampled by its address answers when a processor is free, and goroutines that ran are often asleep by then: by the clock, running is underestimated",
		Advice:   "--cpu-time --url samples by CPU time, which is not underestimated",
		When: "a process was sampled through its address by wall time. It answers when a processor is free, and " +
			"functions that ran are often asleep by then, so that running time is underestimated",
	},
	{
		Code: LooksSlowed, Scope: record.AboutFork,
		Sentence: "a sample took {cost} with {goroutines}: samples were taken every {achieved} instead of every {target}, so that they cost no more than 2 %",
		Advice:   "[benchmark?more --prof-forks, or a longer --time, give as many samples][program?a longer --sample-interval can be kept]",
		When:     "sampling took so long that more samples were skipped than taken, to limit its cost to 2 % of the time",
	},
	{
		Code: LooksSpared, Scope: record.AboutFork,
		Sentence: "the room for samples became scarce: they were taken less often towards the end, every {achieved} instead of every {target} on average",
		Advice:   shorter,
		When:     "the samples filled more than half of the buffer, so that fewer were taken",
	},
	{
		Code: LooksStarved, Scope: record.AboutFork, Machine: true,
		Sentence: "other processes had the processors: goroutines were found running for {running}, and the program used {cpu} of CPU time. {share} of the running time or more was spent waiting for a processor: times and shares of running functions are upper bounds",
		Advice:   "a quieter machine, or --cpu-time",
		When: "sampled by wall time, goroutines ran longer than the program's CPU time, by more than 5 % and " +
			"twice the sampling error, because other processes had the processors. Times and shares of running " +
			"functions are upper bounds",
	},
	{
		Code: StacksCut, Scope: record.AboutFork,
		Sentence: "{share} of the time is in stacks that are too deep: their outer calls are missing, also in totals",
		Advice:   "use the self times",
		When: "some stacks were too deep to be kept whole: deeper than 512 calls by wall time, 64 by Go's CPU " +
			"profiler. Their outer calls are missing, and are excluded from totals",
	},
	{
		Code: StacksUnknown, Scope: record.AboutFork,
		Sentence: "{share} of the time is in {function}: goroutines were running, and their threads did not report a stack, because other threads had the processors, the program ended, or the signal did not reach them",
		Advice:   "repeat on a quieter machine; for a program that ignores or blocks SIGURG use --cpu-time",
		When: "for more than a 20th of the time, the stacks of running goroutines are not known. Their threads " +
			"did not respond, because other processes had the processors, the program ended, or it ignores or " +
			"blocks SIGURG",
	},
}
