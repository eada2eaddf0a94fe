package diagnosis

import "github.com/tarebench/tare/record"

// Codes of the warnings of load runs.
const (
	AllFailed        = "all-failed"
	ClockBackwards   = "clock-backwards"
	ClockJumped      = "clock-jumped"
	FewBeyond        = "few-beyond"
	FewPairs         = "few-pairs"
	FirstError       = "first-error"
	GeneratorLate    = "generator-late"
	GeneratorStalled = "generator-stalled"
	IdleProperty     = "idle-property"
	Integrity        = "integrity"
	Moved            = "moved"
	NoAnswer         = "no-answer"
	NoRatio          = "no-ratio"
	NotFound         = "not-found"
	NotResolvable    = "not-resolvable"
	NoWindow         = "no-window"
	OneProcess       = "one-process"
	RateMissed       = "rate-missed"
	ResponseLate     = "response-late"
	ShortWindow      = "short-window"
	SomeFailed       = "some-failed"
	TwoDraws         = "two-draws"
	Unanswered       = "unanswered"
	VarsUnanswered   = "vars-unanswered"
	WeakSetting      = "weak-setting"
	WorkerClose      = "worker-close"
	WorkerFailed     = "worker-failed"
	WorkerHangs      = "worker-hangs"
)

const (
	notResolvable = "{latencies}: figures below {floor} are not resolvable: "
	targetRate    = "target {target}, achieved {achieved}: "
)

var loads = []Kind{
	{
		Code: AllFailed, Scope: record.AboutRun,
		Sentence: "every operation failed",
		When:     "every operation failed: the exit code is 1, or that of an `--slo` that is missed (3) or not decided (4)",
	},
	{
		Code: ClockBackwards, Scope: record.AboutRun,
		Sentence: "the clock went backwards {times} times; negative times count as 0",
		When:     "the clock went backwards; negative times count as 0",
	},
	{
		Code: ClockJumped, Scope: record.AboutRun,
		Sentence: "the clock was adjusted {times} times by more than 1µs: the machine slept, was migrated, or its time was set",
		When:     "the clock was adjusted by more than 1 µs: the machine slept or was migrated",
	},
	{
		Code: FewBeyond, Scope: record.AboutCase, Name: "percentiles with fewer than 10 samples beyond, not reproducible",
		Sentence: "{percentile}[more? and above]: fewer than 10 samples beyond, not reproducible",
		Advice:   "a longer run has more",
		When:     "fewer than 10 values lie beyond a percentile, which is then not reproducible",
	},
	{
		Code: FewPairs, Scope: record.AboutRun,
		Sentence: "{pairs} of windows: no verdict is possible below {least}",
		Advice:   "a longer --duration, or a shorter --side-duration",
		Forms:    []Form{{Name: "starts", Sentence: "{starts} of both servers: no verdict is possible below {least}", Advice: "give --starts 6 or more"}},
		When: "two sides under load have fewer than 6 pairs of windows, or of starts of both servers: no interval " +
			"can exclude 1",
	},
	{
		Code: FirstError, Scope: record.AboutRun,
		Sentence: "{class}: [{side}: ]{error}",
		When:     "the first error of a class, verbatim",
	},
	{
		Code: GeneratorLate, Scope: record.AboutRun,
		Sentence: "1 in 100 operations began more than {late} late although a worker was waiting: the response times include this delay of the load generator",
		Advice:   "stop other programs on this machine, or run tare on a machine of its own",
		When: "waiting workers began more than 1 ms late (p99). If that is a tenth of the bound of a missed " +
			"`--slo` on latency, the miss is not trusted and not decided (exit code 4). A step of a search is " +
			"undecided if service times meet the `--slo` and the lateness explains the rest",
	},
	{
		Code: GeneratorStalled, Scope: record.AboutRun,
		Sentence: "{operation}: response times are {response} at p99, and no answer took longer than {service}: operations waited for the load generator, which got no processor",
		Advice:   quieter + "; service times do not contain that",
		When: "response times are at least 2 ms (p99) and five times as long as any service time, although a " +
			"worker is added whenever none is idle",
	},
	{
		Code: IdleProperty, Scope: record.AboutRun, Harmless: true,
		Sentence: "properties that do nothing here: {properties}",
		Advice:   "tare load bindings client lists those of YCSB's client, and tare load bindings {binding} those of the database",
		When:     "a property of YCSB was given that has no effect in this run: the warning names it and says why",
	},
	{
		Code: Integrity, Scope: record.AboutRun,
		Sentence: "{reads} reads did not return what had been written",
		Advice:   "the database, or a system before it, damages or loses data; or the records were inserted without -p dataintegrity=true",
		When:     "values read were not what was written",
	},
	{
		Code: Moved, Scope: record.AboutRun,
		Sentence: "{host} resolved to other addresses during the run: {addresses}",
		Advice:   "results may be of several machines; give an address to load one",
		When:     "a name of `--allow-host` resolved to other addresses during the run, to which connections were made",
	},
	{
		Code: NoAnswer, Scope: record.AboutRun,
		Sentence: "no operation was answered",
		When:     "no operation of `tare load` was answered",
	},
	{
		Code: NoRatio, Scope: record.AboutCase,
		Sentence: "a side has no figure above 0, such as a rate of operations without an error: there is no ratio",
		When: "a side has no figure above 0, for example a server that answers nothing and reports no error. " +
			"There is no ratio, and a gate on it is not decided",
	},
	{
		Code: NotFound, Scope: record.AboutRun,
		Sentence: "{share} of the operations found no record, which takes another time than finding one",
		Advice:   "leave out --no-load, or give the --records and properties with which they were inserted; else the database lost them",
		When:     "more than 1 % of the operations of `tare load` found no record",
	},
	{
		Code: NotResolvable, Scope: record.AboutRun, Derived: true,
		Sentence: "{latencies}: the median of {median} is below the resolution of this run, {floor} (lateness p99 {late}, clock {clock})",
		Forms: []Form{
			{Name: "late", Sentence: notResolvable + "the load generator began operations up to that late (p99)", Advice: "service times do not include this lateness, although answers may be read as late; the higher percentiles of response times do include it; --pace spin makes the generator more punctual where a core is free"},
			{Name: "clock", Sentence: notResolvable + "reading the clock takes as long"},
		},
		When: "the median response time is below the generator's own lateness (p99, from 100 values on), or a " +
			"median response or service time is below the cost of reading the clock",
	},
	{
		Code: NoWindow, Scope: record.AboutRun,
		Sentence: "{phases} of the run left out: the record does not say of which of two sides",
		Advice:   damaged,
		When:     "phases that belong to no side are left out",
	},
	{
		Code: OneProcess, Scope: record.AboutRun,
		Sentence: "verdicts are about these two processes: two processes of one program differ, too, by their addresses in memory and hash seeds",
		Advice:   "have tare start the servers, and each several times: --serve",
		When: "tare did not start the two servers that are compared under load, so that each was measured in one " +
			"process only",
	},
	{
		Code: RateMissed, Scope: record.AboutRun, Derived: true,
		Sentence: targetRate + "the response times are those of a growing queue",
		Advice:   "use a lower rate[more?, or more workers if the system can serve them]",
		Forms: []Form{
			{Name: "dropped", Sentence: targetRate + "{dropped} operations were dropped and have no latencies"},
			{Name: "bench", Scope: record.AboutCase, Sentence: targetRate + "latencies show a growing queue", Advice: "lower the rate, or add workers with bench.Workers"},
		},
		When: "`bench.Rate` or `tare load` missed the target rate: more than 1 % of the operations were not sent. " +
			"Latencies are those of a growing queue",
	},
	{
		Code: ResponseLate, Scope: record.AboutRun,
		Sentence: "the load generator began operations up to {late} late (p99): response times contain that, service times do not",
		Advice:   "measure at a quieter time, or with --pace spin",
		When: "the load generator's lateness (p99) is at least a tenth of a response time that is compared. " +
			"Verdicts on response times lose trust, those on service times do not",
	},
	{
		Code: ShortWindow, Scope: record.AboutRun,
		Sentence: "{percentile} is not compared: some windows have fewer than {least} operations beyond it",
		Advice:   "a longer --side-duration[: {enough} or more at this rate]",
		When:     "windows have fewer than 10 operations beyond p99, which is not compared",
	},
	{
		Code: SomeFailed, Scope: record.AboutRun,
		Sentence: "{share} of the operations failed: the rate counts them, the latencies are those of the others",
		Advice:   "see the first error of each class; --slo 'errors<0.1%' makes it an exit code",
		When:     "more than 1 % of the operations of `tare load` failed: they count for the rate and are excluded from latencies",
	},
	{
		Code: TwoDraws, Scope: record.AboutRun,
		Sentence: "the runs were made one after the other: what differs between two runs by itself (the machine, the state of the server, its process) is in no interval here",
		Advice:   "measure both under one load: tare load --side NAME=URL --side NAME=URL, or --serve with --against",
		When: "load runs that were made one after the other are compared. No interval holds by how much two runs " +
			"differ by themselves, and no verdict is trusted",
	},
	{
		Code: Unanswered, Scope: record.AboutRun,
		Sentence: "{operations} of {scheduled} operations were never answered: [{inFlight} in flight at the end (oldest {oldestInFlight})][both?, ][{unsent} due and not sent (oldest {oldestUnsent})]",
		Advice:   "figures with > are lower bounds: these operations count with the time that they had waited",
		When: "operations of `tare load` had no answer when the run ended. Percentiles that would fall on them " +
			"are lower bounds (`> 8.2 s`)",
	},
	{
		Code: VarsUnanswered, Scope: record.AboutRun,
		Sentence: "the server did not answer {times} times for its memory statistics, first: {error}",
		Advice:   "its garbage collections in these intervals count in the next one that has an answer",
		When:     "the server did not answer requests for its memory statistics (`--watch-vars`)",
	},
	{
		Code: WeakSetting, Scope: record.AboutRun,
		Sentence: "{setting}",
		When:     "the database runs with a setting that is faster than in production",
	},
	{
		Code: WorkerClose, Scope: record.AboutRun,
		Sentence: "worker {worker} could not be closed: {error}",
		When:     "a worker could not be closed properly",
	},
	{
		Code: WorkerFailed, Scope: record.AboutRun,
		Sentence: "{workers} workers: no further worker could be added: {error}",
		Advice:   "allow fewer outstanding operations than the system accepts",
		When:     "a worker could not be added",
	},
	{
		Code: WorkerHangs, Scope: record.AboutRun,
		Sentence: "worker {worker} has not returned from a cancelled operation[, due {age} ago]: it was abandoned",
		Advice:   "set a timeout for operations",
		When:     "a worker did not return from a cancelled operation",
	},
}
