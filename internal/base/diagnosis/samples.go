package diagnosis

import "github.com/tarebench/tare/record"

// Codes of the warnings that follow from the samples of a benchmark.
const (
	Bimodal         = "bimodal"
	CalibrationOff  = "calibration-off"
	ChangedN        = "changed-n"
	Drift           = "drift"
	FewForks        = "few-forks"
	Flaky           = "flaky"
	Impossible      = "impossible"
	IterationShort  = "iteration-short"
	MemoryLimit     = "memory-limit"
	NReplaced       = "n-replaced"
	OwnTime         = "own-time"
	ProfilerFailed  = "profiler-failed"
	Setup           = "setup"
	TimerStopped    = "timer-stopped"
	Trend           = "trend"
	BudgetSpent     = "budget-spent"
	PrecisionMissed = "precision-missed"
)

const (
	whenChosen   = "[others had the processors for {lostChoosing} of the time in which N was chosen: ]"
	moreTime     = "the benchmark stops its timer, or its set-up is long; use a larger --time to measure more, or move set-up out of the loop"
	longerBudget = "use --budget {budget} or more, or go on with tare bench --resume FILE"
	shortOfTime  = "an iteration took {took}, the target was {target}"
)

var samples = []Kind{
	{
		Code: Bimodal, Scope: record.AboutCase, Derived: true, MachineMayCause: true, Name: "two groups of forks",
		Sentence: "two groups: {low} near {lowCentre}, {high} near {highCentre}",
		Advice:   "the speed depends on the process, and no number of iterations averages this out: compare with many forks, and look for what differs between processes (layout, hash seeds, placement in memory)",
		When: "from 6 forks: two groups of forks, each of at least 3 forks and a tenth of all. The gap between " +
			"them is at least 2 + 20/n standard deviations of the wider group, and their centres are at least 3 " +
			"% apart",
	},
	{
		Code: BudgetSpent, Scope: record.AboutRun, Derived: true,
		Sentence: "--budget {spent} ended the run: {done} of [atMost?at most ]{planned} forks of each benchmark were run",
		Advice:   longerBudget,
		When:     "`--budget` ended the run before its last fork",
	},
	{
		Code: CalibrationOff, Scope: record.AboutCase, Trust: Times, Derived: true, Name: "iterations far shorter than planned",
		Sentence: whenChosen + "[others had the processors for {lost} of its time: ]" + shortOfTime,
		Advice:   "run it again when the machine is quieter, or give N by --benchtime",
		Forms: []Form{
			{Name: "unexplained", Sentence: shortOfTime + ": N is wrong, and neither the benchmark nor a loss of processors when it was chosen explains it"},
		},
		When: "iterations take less than half of their target time on all sides, and neither a stopped timer nor " +
			"set-up explains it. All sides have the same N, so that a much faster side has short iterations. If " +
			"at least 5 % was lost to other processes when N was chosen or in the forks, that loss is said " +
			"first",
	},
	{
		Code: ChangedN, Scope: record.AboutCase, Trust: Everything, Derived: true,
		Sentence: "the benchmark reports {reported}, and was to run {planned}: figures per operation are not those of what ran",
		Advice:   "do not assign to b.N",
		When: "the benchmark reports another number of operations than it was to run, for example after an " +
			"assignment to `b.N`",
	},
	{
		Code: Drift, Scope: record.AboutCase, Derived: true, MachineMayCause: true, Name: "forks change over the run",
		Sentence: "the last third of the run is {change} than the first",
		Advice:   "something else changed meanwhile (temperature, neighbours); compare only what was measured interleaved",
		When:     "from 10 forks: the last third of the forks differs from the first by 2 % or more, and Mann and Kendall's trend test has p ≤ 0.001",
	},
	{
		Code: FewForks, Scope: record.AboutCase, Trust: Times, Derived: true, Name: "too few forks for an interval",
		Sentence: "{forks} are too few for a {confidence} interval",
		Advice:   "[use --{option} {need} or more][" + longerBudget + "][interrupted?the run was interrupted: go on with tare bench --resume FILE]",
		Forms:    []Form{{Name: "one", Sentence: "{forks} is too few for a {confidence} interval"}},
		When:     "fewer forks than the median's interval needs: 6 at 95 %, 8 at 98.75 %",
	},
	{
		Code: Flaky, Scope: record.AboutCase, Trust: Everything, Derived: true, Name: "some forks failed",
		Sentence: "{failed} of {forks} forks failed: {why}",
		Advice:   "the figures cover the forks that passed; run the benchmark alone to see why others fail",
		Forms:    []Form{{Name: "busy", Advice: quieter + ", or with a longer --timeout"}},
		When:     "some forks failed, others did not",
	},
	{
		Code: Impossible, Scope: record.AboutCase, Trust: Everything, Derived: true, Name: "values that cannot be measured",
		Sentence: "{bad} of {forks}: {value} {unit}, which cannot be measured",
		Advice:   "the record is damaged, or the benchmark reports {unit} by itself; measure again",
		When: "a measured iteration has a value that no clock and no counter gives: NaN, an infinity, or a " +
			"negative value of a unit of package testing or of tare, except growth of the heap. A benchmark's " +
			"own units may be negative. Of exact counts, only the unit that has such a value loses trust",
	},
	{
		Code: IterationShort, Scope: record.AboutCase, Trust: Times, Derived: true, Name: "iterations measure too little",
		Sentence: "an iteration measures only {measured}",
		Advice:   "use a larger --time, or a larger N with --benchtime",
		Forms:    []Form{{Name: "busy", Advice: quieter + ": N was chosen while others had the processors"}},
		When: "an iteration measures less than 5 ms. The limit is 100 µs if the timer was stopped, or if another " +
			"side with the same N measures 5 ms",
	},
	{
		Code: MemoryLimit, Scope: record.AboutCase, Derived: true,
		Sentence: "GOMEMLIMIT is {limit}, and its forks had {peak} resident, without the binary (median)",
		Advice:   "Go does not enforce that limit; --memory-max fails forks that are above one",
		When:     "forks had more resident memory than GOMEMLIMIT, which Go does not enforce",
	},
	{
		Code: NReplaced, Scope: record.AboutCase,
		Sentence: "N was {from} and is {to} from round {round} on[: {why}][; {forks} before not counted]",
		When: "N was off by a factor of more than 1.5 in the first two rounds, and was replaced. Forks with the " +
			"old N do not count",
	},
	{
		Code: OwnTime, Scope: record.AboutCase, Trust: Times, Derived: true,
		Sentence: "the benchmark reports its own ns/op: {factor} times {how} than its time by the clock",
		Advice:   `report it under a unit of its own, by b.ReportMetric(x, "…-ns/op")`,
		When:     "ns/op contradicts the clock by a factor of 2 or more: it is more than passed, or less and the same number in all iterations of all forks, as after `b.ReportMetric(600, \"ns/op\")`",
	},
	{
		Code: PrecisionMissed, Scope: record.AboutRun, Derived: true,
		Sentence: "the precision of {precision} was not reached: the widest interval[, of {benchmark},] was {width} after {after}",
		Advice:   "[use more --{option}, a wider --precision, or a quieter machine][budget?a longer --budget, or a wider --precision]",
		Forms: []Form{
			{Name: "unchecked", Sentence: "the precision of {precision} was not checked before the run ended[: the first check is after {first}]"},
		},
		When: "the run ended with an interval wider than `--precision`, or before the widest interval was checked",
	},
	{
		Code: ProfilerFailed, Scope: record.AboutCase, Name: "a profiler failed",
		Sentence: "{profiler}: {failed} of {forks} of its forks failed: {why}",
		Advice:   "its figures, if any, cover the forks that passed",
		When:     "forks of a profiler failed: its figures are missing, or cover the others",
	},
	{
		Code: Setup, Scope: record.AboutCase, Derived: true, Name: "much of a fork is start and set-up",
		Sentence: "start and set-up take {share} of a fork",
		Advice:   "use more --iterations per fork, or a longer --time, so that set-up is a smaller share",
		When: "start and set-up take more than 20 % of a fork. Set-up takes at least as long as the first " +
			"iteration took beyond the fastest other one, not counting time lost to other processes. Groups of " +
			"sub-benchmarks are not judged",
	},
	{
		Code: TimerStopped, Scope: record.AboutCase, Derived: true, Name: "timer mostly stopped",
		Sentence: whenChosen + "the timer ran for {share} of an iteration's wall time ({measured} measured)",
		Advice:   moreTime,
		Forms:    []Form{{Name: "busy", Advice: quieter + "; else " + moreTime}},
		When: "the timer ran for less than half of an iteration's wall time, not counting time lost to other " +
			"processes. If at least 5 % was lost when N was chosen, that loss is said first",
	},
	{
		Code: Trend, Scope: record.AboutCase, Derived: true, MachineMayCause: true, Name: "iterations change within a fork",
		Sentence: "the last iteration of a fork is {change} than the first, in {agreeing} of {forks} forks",
		Advice:   "the benchmark is not warm, or its work grows: try --warmup 3, and see whether set-up depends on b.N",
		When: "the last measured iteration differs from the first by at least 2 %, in the median over forks. The " +
			"difference has the same direction in so many forks that the sign test has p ≤ 0.001, which takes " +
			"at least 11 forks",
	},
}
