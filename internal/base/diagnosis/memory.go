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
		When:     "settled memory is a lower bound: the benchmark allocated over 5 % as much while the collections ran",
	},
	{
		Code: MidRun, Scope: record.AboutFork,
		Forms: []Form{{
			Name:     "file",
			Sentence: "mem: settled figures were read while the benchmark ran, by collections forced in the last fifth of the window: " + notTestFile,
			Advice:   intoTestFile,
		}},
		When: "settled memory was read while a loop ran, in the last fifth of its window, because the loop is not in a test file of the package",
	},
	{
		Code: NoLoopEnd, Scope: record.AboutRun,
		Sentence: "{profiler}: {package}: the end of loops over b.N cannot be read: {why}",
		Advice:   "a benchmark that loops by b.Loop is read in its last call",
		When:     "the copies of test files that memory is read in could not be made",
	},
	{
		Code: NotSettled, Scope: record.AboutFork,
		Forms: []Form{{
			Name:     "file",
			Sentence: "nothing was read while the subject lived: " + notTestFile + ", and the window was too short for it, or is the first",
			Advice:   intoTestFile + ", or use a larger --time",
		}},
		When: "the loop is not in a test file of the package, and the window was too short to read settled memory in it",
	},
	{
		Code: PeaksMissed, Scope: record.AboutFork,
		Sentence: "mem: peaks were read at {read} of {cycles} cycles of the collector[few?: too few for a peak of memory in use or committed, which are left out]",
		Advice:   "VmHWM, which the kernel keeps, misses none",
		When:     "peaks were read at the end of less than nine of ten cycles of the collector",
	},
	{
		Code: ReadsSpread, Scope: record.AboutFork,
		Sentence: "mem: the heap on the way may have been {less} smaller: the benchmark allocated as much while the heap was read",
		Advice:   "read min, median and max on the way as upper bounds; heap settled is exact",
		When:     "memory on the way is an upper bound: the benchmark allocated over 5 % as much while it was read",
	},
	{
		Code: Unsettled, Scope: record.AboutFork,
		Sentence: "mem: the heap was still shrinking after {collections} collections",
		Advice:   "something frees memory in the background; read the figures as upper bounds",
		When:     "the heap still shrank after ten collections",
	},
}
