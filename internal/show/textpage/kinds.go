package textpage

import "github.com/tarebench/tare/internal/result"

// kindNames are what notes about several rows are called, by the codes of their warnings.
// Warnings of other codes are of one kind if they have the same words.
var kindNames = map[string]string{
	result.CodeFewForks:       "too few forks for an interval",
	result.CodeBimodal:        "two groups of forks",
	result.CodeImpossible:     "values that cannot be measured",
	result.CodeTrend:          "iterations change within a fork",
	result.CodeDrift:          "forks change over the run",
	result.CodeTimerStopped:   "timer mostly stopped",
	result.CodeIterationShort: "iterations measure too little",
	result.CodeCalibration:    "iterations far shorter than planned",
	result.CodeSetup:          "much of a fork is start and set-up",
	result.CodeEmptyLoop:      "as fast as an empty loop, or nearly after a dear first operation",
	result.CodeUnusedN:        "the function does not use b.N",
	result.CodeNearLoop:       "little more than an empty loop",
	result.CodeFixedCost:      "much of an iteration does not depend on the number of operations",
	result.CodeFirstOperation: "a first operation that takes far longer",
	result.CodeFlaky:          "some forks failed",
	result.CodeUnequalSpread:  "one side spreads much more",
	result.CodeSameCode:       "the same machine code on both sides",
	CodeFewBeyond:             "percentiles with fewer than 10 samples beyond, not reproducible",
	result.CodeStarved:        "measured while others had the processors",
	result.CodeWaited:         "threads waited for a processor that others had",
	result.CodeProfiler:       "a profiler failed",
}

// machineCodes are the warnings that are about the machine.
var machineCodes = []string{result.CodeAway, result.CodeCrowded, result.CodeQuota, CodeBusy, result.CodeSteal, result.CodeNotAlone, "shared", "waited", "looks-late", "looks-starved"}

// CodeFewBeyond is the code of a warning about percentiles: few values lie beyond them.
const CodeFewBeyond = "few-beyond"

// CodeBusy is the code of a warning about the machine: other processes used its processors.
const CodeBusy = "busy"

// blamable are the warnings about a benchmark that a busy machine may cause.
var blamable = []string{
	result.CodeBimodal, result.CodeTrend, result.CodeDrift, result.CodeUnequalSpread,
}
