package diagnosis

import "github.com/tarebench/tare/record"

// Codes of the warnings of the profilers of memory.
const (
	HeapSpread  = "heap-spread"
	MidRun      = "mid-run"
	NoLoopEnd   = "no-loop-end"
	NotSettled  = "not-settled"
	PeaksMissed = "peaks-missed"
	ReadsSpread = "reads-spread"
	Unsettled   = "unsettled"
)

const (
	intoTestFile = "move the loop over b.N into the test file, where it is read at its end"
	notTestFile  = "its loop is in a file that is not a test of the package"
)

// Older records have the codes of [NotSettled] and [MidRun] for other reasons: their form is named, so that the words of those stay.
var memory = []Kind{
	{
		Code: HeapSpread, Scope: record.AboutFork,
		Sentence: "mem: the heap settled is a lower bound, and may be {more} more: the benchmark allocated as much while the collections ran, and it is not known what of that lives",
		Advice:   intoTestFile + ", when nothing allocates",
		When: "settled memory is a lower bound: while the collections ran, the benchmark allocated more than 5 % " +
			"of it",
	},
	{
		Code: MidRun, Scope: record.AboutFork,
		Forms: []Form{{
			Name:     "file",
			Sentence: "mem: settled figures were read while the benchmark ran, by collections forced in the last fifth of the window: " + notTestFile,
			Advice:   intoTestFile,
		}},
		When: "the loop is not in a test file of the package, so that settled memory was read while it ran, in " +
			"the last fifth of its window",
	},
	{
		Code: NoLoopEnd, Scope: record.AboutRun,
		Sentence: "{profiler}: {package}: the end of loops over b.N cannot be read: {why}",
		Advice:   "a benchmark that loops by b.Loop is read in its last call",
		When:     "the copies of test files in which memory is read could not be made",
	},
	{
		Code: NotSettled, Scope: record.AboutFork,
		Forms: []Form{{
			Name:     "file",
			Sentence: "settled memory was not read: " + notTestFile + ", and the window was too short for it, or is the first",
			Advice:   intoTestFile + ", or use a larger --time",
		}},
		When: "the loop is not in a test file of the package, and the window was too short to read settled memory in it",
	},
	{
		Code: PeaksMissed, Scope: record.AboutFork,
		Sentence: "mem: peaks were read at {read} of {cycles} garbage collections[few?: too few for a peak of memory in use or committed, which are left out]",
		Advice:   "VmHWM, which the kernel keeps, misses none",
		When:     "peak memory was read in fewer than nine of ten garbage collections",
	},
	{
		Code: ReadsSpread, Scope: record.AboutFork,
		Sentence: "mem: the heap on the way may have been {less} smaller: the benchmark allocated as much while the heap was read",
		Advice:   "read min, median and max on the way as upper bounds; heap settled is exact",
		When: "memory on the way is an upper bound: while it was read, the benchmark allocated more than 5 % of " +
			"it",
	},
	{
		Code: Unsettled, Scope: record.AboutFork,
		Sentence: "mem: the heap was still shrinking after {collections} garbage collections",
		Advice:   "something frees memory in the background; read the figures as upper bounds",
		When:     "the heap still shrank after ten garbage collections",
	},
}
