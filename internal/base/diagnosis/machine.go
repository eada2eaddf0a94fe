package diagnosis

import "github.com/tarebench/tare/record"

// Codes of the warnings about the machine, and about what others did with it.
const (
	Busy            = "busy"
	BusyMemory      = "busy-memory"
	Crowded         = "crowded"
	NotAlone        = "not-alone"
	ProcessorsLost  = "processors-lost"
	Quota           = "quota"
	SlowProcessor   = "slow-processor"
	Starved         = "starved"
	Steal           = "steal"
	ThreadsWaited   = "threads-waited"
	NotRelease      = "not-release"
	NotAvailable    = "not-available"
	RecordLost      = "record-lost"
	DamagedAttached = "damaged-attachment"
	DamagedHist     = "damaged-hist"
)

// Advice that several kinds give.
const (
	quieter     = "measure at a quieter time"
	higherQuota = "raise the CPU quota of the control group, or measure outside of it"
	damaged     = "the record is damaged, or another program wrote it; measure again"
	inOneRun    = "measure both in one run: tare bench --against REV, or --side NAME=DIR"
)

// lostForks ends the sentences about lost time.
const (
	lostForks    = "[; {disturbed} of {forks} lost more than {limit}][; of {unknown} of the {counting} that count it is not known]"
	lostRun      = " for {share} of {whose} time (median)[; {disturbed} of {forks} lost more than {limit}][all? and do not count][, of which {dropped} do not count]" + unknownForks
	unknownForks = "[; for {unknown} that is not known, and they count]"
	droppedForks = " while {disturbed} of {forks} ran, for more than {limit} of their time: those do not count" + unknownForks
	intervalsOf  = "the intervals are of the others; where they are too wide, "
	coresBusy    = "it keeps {cores} processors busy, and others had them for {share} of its threads' time" + lostForks
)

var machine = []Kind{
	{
		Code: Busy, Scope: record.AboutRun, Machine: true,
		Sentence: "load {load} on {cores} when the run began: other processes used CPU time",
		Advice:   quieter + "[sides?, or compare sides (--against), which are disturbed alike]",
		When: "other processes used the processors while the forks ran. Texts say it first, and say of some " +
			"warnings about benchmarks that the machine may be the cause",
	},
	{
		Code: BusyMemory, Scope: record.AboutRun, Anchor: "another-run",
		Sentence: "loads from the last-level cache took {factor} times as long as in calm runs here: other programs use it",
		Advice:   "benchmarks that allocate or use much memory are slower, by up to a third, without losing CPU time; compare only what one run has measured",
		When:     "the reference loop `l3` took over 1.5 times as long as in calm runs on this machine",
	},
	{
		Code: Crowded, Scope: record.AboutRun, Trust: Times, Machine: true, Derived: true, Anchor: "loss",
		Sentence: "[load {load} when the run began; ]others used {used} of {processors} while the commands ran, and {idle} stood idle: how long the commands waited for one is not known",
		Advice:   quieter,
		Forms: []Form{
			{Name: "load", Sentence: "load {load} when the run began; other processes used the {processors}: how long the commands waited for one is not known"},
		},
		When: "`tare time`: other processes used the processors, and none was free. How long the commands waited " +
			"is not known",
	},
	{
		Code: DamagedAttached, Scope: record.AboutFork,
		Sentence: "its attachment {name} cannot be read: {why}",
		Advice:   damaged,
		Forms:    []Form{{Name: "binary", Scope: record.AboutRun, Sentence: "the attachment {name} of binary {bin} cannot be read: {why}"}},
		When:     "data of a profiler in the record cannot be read",
	},
	{
		Code: DamagedHist, Scope: record.AboutCase, Derived: true,
		Sentence: "{histograms} histograms could not be read and are missing from {whose} latencies: {why}",
		Advice:   damaged,
		When:     "histograms of the record cannot be decoded",
	},
	{
		Code: NotAlone, Scope: record.AboutRun, Trust: Times, Machine: true,
		Sentence: "another tare measured on this machine at the same time: {other}",
		Advice:   "run one at a time: most verbs wait for each other, unless --no-lock is given; tare load, --list and --dry-run do not wait",
		When: "another tare measured on this machine at the same time: one that does not wait (`--no-lock`, " +
			"`--dry-run`, `--list`, `tare load`), or one that such a run did not wait for. Both records say so",
	},
	{
		Code: NotAvailable, Scope: record.AboutRun,
		Sentence: "{what}: [{side}: ]not available: {why}",
		Advice:   "[{advice}]",
		Forms: []Form{
			{Name: "fork", Scope: record.AboutFork, Sentence: "{what}: not available: {why}", Advice: "tare doctor says what this machine can serve"},
			{Name: "build", Sentence: "{why}"},
			{Name: "counters", Scope: record.AboutFork, Sentence: "counter: {events}: not available: {why}", Advice: "measure them on a machine of your own"},
			{Name: "virtual", Scope: record.AboutFork, Sentence: "counter: {events}: not available: this machine has no such counters, as most virtual ones ({why})", Advice: "measure them on a machine of your own"},
			{Name: "window", Scope: record.AboutFork, Sentence: "usage: CPU time: not available: the window of {window} is shorter than a millisecond", Advice: "use a larger --time, or a larger N with --benchtime"},
			{Name: "rate", Scope: record.AboutFork, Sentence: "heap: not available: the benchmark sets runtime.MemProfileRate itself", Advice: "leave the rate to whoever profiles it"},
			{Name: "peak", Scope: record.AboutFork, Sentence: "mem: peak RSS of the window: not available: /proc/self/status or clear_refs cannot be used here", Advice: "the peak of the whole fork is in its line"},
			{Name: "log", Sentence: "the log of this machine's runs: {why}", Advice: "TARE_RUNLOG=FILE names another file, TARE_RUNLOG=off keeps no log"},
			{Name: "reference", Sentence: "not available: {why}", Advice: "other runs on this machine cannot be compared by what else was busy"},
		},
		When: "a profiler, or one of its figures, is not available on this machine; the text says why",
	},
	{
		Code: NotRelease, Scope: record.AboutRun, Derived: true,
		Sentence: "built with {settings}: figures are not those of a release build",
		Advice:   "take the flags out of GOFLAGS (go env GOFLAGS) or --side-flags, unless this is the question",
		When:     "the test binaries were built with `-race`, `-cover`, `-msan`, `-asan`, or `-gcflags` that hold `-N` or `-l`",
	},
	{
		Code: ProcessorsLost, Scope: record.AboutRun, Machine: true, Derived: true, Anchor: "loss",
		Sentence: "others had the processors" + lostRun,
		Advice:   quieter,
		Forms: []Form{
			{Name: "little", Advice: "-"},
			{Name: "quota", Sentence: "the processors were not available" + lostRun, Advice: higherQuota},
			{Name: "dropped", Sentence: "others had the processors" + droppedForks, Advice: intervalsOf + quieter},
			{Name: "dropped-quota", Sentence: "the processors were not available" + droppedForks, Advice: intervalsOf + higherQuota},
		},
		When: "forks lost more than 10 % of their time to other processes, or at least 5 % in the median",
	},
	{
		Code: Quota, Scope: record.AboutRun, Trust: Times, Machine: true, Derived: true,
		Sentence: "a CPU quota stopped the control group of the forks: {stopped} of processor time in {time}",
		Advice:   higherQuota,
		When:     "a CPU quota of the control group stopped the forks for more than 1 % of their time",
	},
	{
		Code: RecordLost, Scope: record.AboutRun,
		Sentence: "another program changed the record while it was written: {lines} of its lines are lost",
		Advice:   "keep other programs from the files of a run",
		When:     "another program changed the record while it was written: some of its lines are in no file",
	},
	{
		Code: SlowProcessor, Scope: record.AboutRun,
		Sentence: "the processor was {share} slower than in {runs} earlier runs here, by a loop of arithmetic",
		Advice:   "its clock is lower: heat, a power setting, or other work on the same core; compare only what one run has measured",
		When:     "the reference loop `chain` took over 2 % longer than in earlier runs on this machine",
	},
	{
		Code: Starved, Scope: record.AboutCase, Trust: Times, Derived: true, Anchor: "loss", Name: "measured while others had the processors",
		Sentence: "others had the processors for {share} of its time" + lostForks,
		Advice:   quieter,
		Forms: []Form{
			{Name: "threads", Sentence: "others had the processors for {share} of its threads' time" + lostForks},
			{Name: "cores", Sentence: coresBusy},
			{Name: "quota", Sentence: "a CPU quota stopped it for {share} of its time" + lostForks, Advice: higherQuota},
		},
		When: "too few forks lost at most 10 % of their time to other processes. Or the loss of most forks that " +
			"count is not known, or is at least 5 % in the median. Warnings that may follow from it (`bimodal`, " +
			"`trend`, `drift`, `setup`, `unequal-spread`) are then left out for the benchmark",
	},
	{
		Code: Steal, Scope: record.AboutRun, Trust: Times, Machine: true, Derived: true,
		Sentence: "{share} of the machine's CPU time was stolen by its neighbours during the run",
		Advice:   "expect wider intervals; measure at a quieter time or with more --forks",
		Forms: []Form{
			{Name: "unknown", Sentence: "how much of the machine's CPU time was stolen by its neighbours is not known: the record has a share above 1", Advice: damaged},
		},
		When: "the hypervisor took more than 1 % of the machine's CPU time during the run",
	},
	{
		Code: ThreadsWaited, Scope: record.AboutCase, Derived: true, Anchor: "loss", Name: "threads waited for a processor that others had",
		Sentence: coresBusy,
		Advice:   quieter,
		When: "the benchmark keeps several processors busy without `RunParallel`, and other processes had them " +
			"for at least 5 % of its threads' time (median over forks)",
	},
}
