package render

import "github.com/tarebench/tare/internal/show/subjects/profile"

// How to read the sections of a page, a paragraph each. They are for who gets a page and has not measured it.
var (
	helpVerdicts = []string{
		"The lines above are the result in words. Signs and words say the same as the colours.",
		"faster and slower: the difference is proven at the confidence of the run, and its interval lies beyond no change at all. equivalent: the whole interval lies within the threshold, so that the difference does not matter. inconclusive: the interval holds both no change and a change that matters; the line says how large the change may be, and how many more processes (forks) would decide it. (?): something speaks against the figures; the notes say what.",
		"Next: measure inconclusive rows with more forks, repeat distrusted ones when the notes' advice has been followed, and look for the cause of what is slower.",
	}
	helpMeasured = []string{
		"Each benchmark ran in several processes, which are called forks. Each fork gives one value, the median of its iterations. What is shown is the median of the forks.",
		"A row with a mark such as ¹ has a note below. Follow its advice before you rely on the row.",
	}
	helpResults = []string{
		"median: half of the forks were below, half above. The interval holds the true median of this run's forks with the confidence in the title. Another run may differ by more: the machine changes.",
		"The last column draws each fork as a dot, as far from the median as the head of the column says, and the interval as a line with ends. Dots in two groups mean that the speed depends on the process. An arrow marks what lies beyond the axis. Click the dots, or press Enter on them, to see the forks in the order in which they ran: a slope or a step there is a change of the machine.",
		"Indented rows are other quantities of the row above. Titles of columns sort. Copies have the rows that are shown.",
	}
	helpComparison = []string{
		"ratio: new over old. Below 1 it takes less, above 1 more; of rates it is the other way round. The interval holds the true ratio with the confidence in the title.",
		"The column in the middle draws the ratio as a dot and the interval as a line with ends, on a logarithmic axis: half and double are equally far from the line, which is no change. The shaded band is the threshold: changes within it do not matter. An arrow marks what lies beyond the axis.",
		"Colours only mark what is proven and trusted. p is corrected for the number of rows, so that among many rows few are called different by chance.",
	}
	helpCharts = []string{
		"Bars are medians of forks, whiskers their intervals. Two whiskers that overlap say little: for a verdict compare the two as sides of one run (tare bench --against).",
		"axis: linear bars begin at zero, so that their lengths compare. A logarithmic axis shows small and large values together; there, values are squares, because a length would mean nothing.",
		"baseline: the row that you choose is 1, in each group by itself, and others are multiples of it. Whiskers are divided by the same number; how sure the baseline itself is, is not in them.",
	}
	helpMemory = []string{
		"settled: what a benchmark keeps alive when it has ended and garbage was collected. on the way: the live heap at random times while it ran. in use and committed: what Go's runtime holds, without and with what it has not returned. RSS: what the kernel counts for the process; peak RSS: its highest.",
		"Bars are medians of forks, whiskers their intervals. Rows of a group have the same parameter and can be compared with each other.",
	}
	helpGrowth = []string{
		"Points are medians with their intervals. The line is the curve that fits them best: constant, log n, n, n log n, n² or n³. On logarithmic axes, which come first, n is a straight line that rises by as much as it goes to the right, n² rises twice as fast, and a constant is level.",
		"fit: the cost as a formula of n; its interval is that of the factor. rms: by how much the curve misses at a typical size. chosen: how often another sample of forks would choose the same curve. (?) marks a curve that is the nearest, and no more.",
	}
	helpGoroutines = []string{
		"Goroutines by the function that they run, with the time in which they ran, waited for a place to run, or were blocked, for each operation of the benchmark. min, avg and max are of single goroutines.",
	}
	helpWaits = []string{
		"What goroutines waited for, by the line of code that waits, and the line of another goroutine that ended it: of a lock, that is where its holder released it. Times are sums over goroutines for each operation of the benchmark. Those of the benchmark's own goroutine add up to its wall time.",
	}
	helpHeap = []string{
		"What was alive on the heap, by the place in the code that allocated it, or by its type. The sampler sees one allocation in so many bytes; the last line says how far the first row may be off.",
	}
	helpAllocs = []string{
		"What an operation allocates, counted object by object, by the line of source that allocates it. Lines of the Go runtime count for the function that called it. Size: the slot that an object takes; shared: a small object in the slot of another one.",
	}
	helpInstructions = []string{
		"How many instructions an operation executes in each function and line, counted by an emulator (valgrind). A line is that of the source; a function has what the compiler inlined into it. Counts outside the runtime repeat from run to run; those of the runtime vary more, mostly by less than 2 % of all, because garbage collection and scheduling depend on time.",
		"Fewer instructions are not always less time: the processor may wait for memory or mispredict branches. A difference in instructions says where the work differs.",
	}
	helpSampled = []string{
		"In which functions samples of the program were found. A share of many samples is one of time; with few samples, functions of a few percent come and go.",
	}
	helpTraced = []string{
		"Which functions were called how often, for each operation, and their own time without what they called.",
	}
	helpCompiler = []string{
		"What the compiler made of the functions that the benchmarks reach by direct calls. A function that is inlined has no call. What escapes is allocated on the heap. A check compares an index with the length before it is used. These are notes on the source: the copy of the code that ran, inlined elsewhere, may lack what a note says.",
	}
	helpWhy = []string{
		"What made the benchmarks that changed slower or faster, by what the profilers counted on both sides. Each row is a cause with the part of the difference that it explains and its 95 % interval, drawn as a bar and a line with ends: the upright line is nothing, and 100 % is the whole difference. A cause with a negative share made up for others. An arrow marks what lies beyond the axis.",
		"Counts are exact: allocations, instructions and decisions of the compiler do not vary from run to run. The share rests on samples all the same. Where no count says why, the row says where the time is spent, and no more. not explained: what is left; it is never spread over the causes.",
		"Next: look at the lines that are named first. tare why with this record shows the part of the change that touches them, if the sources are there.",
	}
	helpNotes = []string{
		"Each note is a warning, with what to do about it behind the arrow. Its mark stands beside the rows that it is about.",
	}
	helpLoad = []string{
		"response time: from when an operation was due until it was answered; it has the time in which it waited for its turn. service time: since it was sent. Where the two differ, operations queued.",
		"p99: 99 of 100 operations took no longer. With fewer than 10 operations beyond, a percentile is not reproducible.",
		"lateness: how late the load generator itself was. If it is a large share of the latencies, they are partly its own.",
	}
	helpSlowest = []string{
		"The operations that took longest, each with when it was due since the start of the run, how long it waited until it was sent, its service and response time, and what it was about, without secrets. With the seed of the run, the number says what was sent. Behind that: how it ended, if not well, and the part of it that took longest.",
	}
	helpAgents = []string{
		"Each agent is a load generator, which sent its share of the operations of the one schedule; the figures above are those of all agents together. late p99: how late the agent itself began operations for which a worker waited. cores: what its process used of how many it has. clock: its clock is known to so much; latencies do not depend on it.",
		"Agents send alike. Where one has other latencies than the rest, look at its machine first: at its lateness, and at its cores.",
	}
	helpOverTime = []string{
		"Above: operations that were due and that were done, each second. In the middle: median, p99 and largest latency of each second; the ground is darker where more operations had that latency. Below: the latency that so many per cent do not exceed. The axis is spread towards 100 %, because the rare slow ones matter.",
		"What happened beside the operations, where the record has it, is in a chart of its own: how long the server and tare itself were stopped, waited for a processor or collected garbage. The rows of bars above the chart of latencies mark the seconds in which one of these took at least half as long as the p99; below that chart stands which row is which, and it has the same colour in its own chart. What coincides need not be the cause.",
		"Draw over a stretch of time above, or type seconds: the percentiles below are then of that stretch. Dashed: fewer than 10 operations lie beyond.",
	}
)

// Explanations beside pictures and tables.
var (
	helpWorkWith = "A click widens a function to all of the width, Escape shows all again. Search marks the functions whose name matches a regular expression, and says which share they have together. Focus keeps only the stacks that have a matching function, ignore drops those that have one; shares stay those of the whole. The call tree below has the same figures for the keyboard: arrows move, fold and unfold, * unfolds everything below. The address keeps what was chosen."

	helpFlame = []string{
		"Each box is a function at a place in the tree of calls, as wide as its share of the time; what it called stands above it. The order from left to right is that of names, not of time. Time of a box that no box above it covers was spent in the function itself.",
		"Colours say whose code it is. Share and time are in the tool tip of a box, with their standard error (±) where stacks were sampled: that of chance alone.",
		helpWorkWith,
	}
	helpBlocked = []string{"The same for the time in which goroutines waited for a channel, a lock, a timer or the network. It is a sum over goroutines, and used no processor."}

	helpCode = []string{
		"Each line is an instruction with its share of the samples; the bar is the highest at the hottest of the region. Lines without an address are the source that the instructions below come from. A title with ↳ holds the instructions of a function that was inlined there: it folds.",
		"Lines at the left are jumps: they leave an instruction and arrive, with an arrow, where they go. An arrow up or down behind an instruction leads out of what is shown. Jumps of failed checks, which are hardly ever taken, are notes instead.",
		"Regions of the runtime are folded at first. Without a precise event, samples are usually counted at the instruction behind the one that took the time (‹).",
	}
	helpFunctions = []string{
		"Self is the time in a function itself, total that in it and in what it called; a function that calls itself counts once. Titles of columns sort. ±: standard error of the share, by chance alone.",
	}
)

func helpDifference(d *profile.Difference) []string {
	colours := "Orange: a larger share in " + d.Names[1] + " than in " + d.Names[0] + ". Blue: a smaller one. Grey: the difference is within the noise of sampling, so that another pair of samples of the same programs may show the opposite."
	if !d.Sampled {
		colours = "Orange: a larger share in " + d.Names[1] + " than in " + d.Names[0] + ". Blue: a smaller one. Calls were counted and not sampled: that a run differs from the next is not known to be noise or not."
	}
	return []string{
		"Each box is a function at a place in the tree of calls, as wide as its share of the time of " + d.Names[1] + "; a button shows the widths of " + d.Names[0] + ". What is gone in " + d.Names[1] + " has a width only there.",
		colours,
		"Shares of a side add up to 100 %: where one function needs more, all others have less, although they may need as much as before. Compare times per operation before you look for a cause here.",
		helpWorkWith,
	}
}
