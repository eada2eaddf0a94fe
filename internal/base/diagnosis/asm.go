package diagnosis

import "github.com/tarebench/tare/record"

// Codes of the warnings about machine code and its samples. Some are about what is shown of a record, and in none.
const (
	FewSamples     = "few-samples"
	LostSamples    = "lost-samples"
	NoDisassembler = "no-disassembler"
	NoFunction     = "no-function"
	NoHotRegion    = "no-hot-region"
	PerOp          = "perop"
	SameBinary     = "same-binary"
	SourceChanged  = "source-changed"
	Split          = "split"
	Throttled      = "throttled"
	Unreadable     = "unreadable"
)

const (
	lowerFrequency = "a lower --frequency"
	buildFirst     = "build first, then sample the built file"
)

var machineCode = []Kind{
	{
		Code: FewSamples, Scope: record.AboutFork,
		Sentence: "asm: {samples} samples: a share of 10 % has a standard error of ± {error} points",
		Advice:   "[{enough} samples take {time} of CPU time at {rate} per second][unknown?sample for longer, or more often]",
		When: "fewer than 1000 samples of machine code count: a share of 10 % has an error of ± 1 point with 1000 " +
			"samples, ± 3 with 100",
	},
	{
		Code: LostSamples, Scope: record.AboutFork,
		Sentence: "asm: {share} of the samples were lost: tare was too slow to read them",
		Advice:   lowerFrequency + ", or a machine that is less busy",
		When:     "more than 1 % of the samples were lost in the kernel's buffer",
	},
	{
		Code: NoDisassembler, Scope: record.AboutFork,
		Sentence: "{why}",
		When:     "`tare asm`: code of this architecture cannot be disassembled; that of amd64, 386 and arm64 can",
	},
	{
		Code: NoFunction, Scope: record.AboutFork,
		Sentence: "no function with samples matches {pattern}",
		Advice:   "the lists name those that there are",
		Forms:    []Form{{Name: "inlined", Sentence: "{function} is inlined into {caller}: it has no code of its own there", Advice: "show that one"}},
		When:     "`tare asm --func REGEXP`: no function that was sampled has such a name",
	},
	{
		Code: NoHotRegion, Scope: record.AboutFork,
		Sentence: "no region has more than {hot} of the samples; the hottest has {hottest}[, and the hottest of your own code, which is shown, {ownShare}][, and the one that is shown {shownShare}]",
		Advice:   "show more: --hot {threshold}",
		When:     "`tare asm`: the profile is flat: no region has more than `--hot` of the samples; the hottest of your own code is shown all the same",
	},
	{
		Code: PerOp, Scope: record.AboutFork,
		Sentence: "no times per operation: operations were not counted; shares are shown instead",
		Forms:    []Form{{Name: "clock", Sentence: "no times per operation: {event} is no clock; shares are shown instead"}},
		When: "`tare asm --counts perop`: operations were not counted, or the event is not a clock. Shares are " +
			"shown instead",
	},
	{
		Code: SameBinary, Scope: record.AboutRun,
		Sentence: "the binary is the same on both sides: what differs is chance",
		When:     "`tare asm`: both sides are the same binary: differences are noise",
	},
	{
		Code: SourceChanged, Scope: record.AboutFork,
		Sentence: "asm: {files} modified since the program was built: no source text of {names}",
		Advice:   "build again, then sample the built file",
		When:     "source files were modified after the program was built",
	},
	{
		Code: Split, Scope: record.AboutFork,
		Sentence: "{samples} samples are at addresses that begin no instruction; they count for the one around",
		Advice:   "check that the samples are of this very binary",
		When:     "`tare asm`: more than 5 % of the samples are at addresses at which no instruction begins",
	},
	{
		Code: Throttled, Scope: record.AboutFork,
		Sentence: "asm: the kernel paused sampling {times}, because it took too long",
		Advice:   lowerFrequency,
		When:     "the kernel paused sampling",
	},
	{
		Code: Unreadable, Scope: record.AboutFork,
		Sentence: "asm: {why}",
		Forms: []Form{
			{Name: "gone", Sentence: "asm: {file} is gone: its code cannot be shown", Advice: buildFirst},
			{Name: "gone-several", Sentence: "asm: {files} are gone: their code cannot be shown", Advice: buildFirst},
			{Name: "written", Sentence: "asm: {file} was modified after being sampled: the sampled code cannot be shown", Advice: buildFirst},
			{Name: "written-several", Sentence: "asm: {files} were modified after being sampled: the sampled code cannot be shown", Advice: buildFirst},
		},
		When: "a file that was sampled cannot be read, or was modified since",
	},
}
