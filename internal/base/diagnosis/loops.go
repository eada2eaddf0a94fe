package diagnosis

import "github.com/tarebench/tare/record"

// Codes of the warnings about loops that measure little.
const (
	EmptyLoop      = "empty-loop"
	FirstOperation = "first-operation"
	FixedCost      = "fixed-cost"
	NearLoop       = "near-loop"
	NUnused        = "n-unused"
)

const (
	fixedPart    = "{share} of an iteration ({time}) does not depend on the number of operations: "
	ownInput     = "give each operation its own input"
	largerTime   = "; a larger --time lessens the share"
	onlyFirst    = "work that only the first operation does"
	setUpInTimer = "set-up with the timer on, or " + onlyFirst
)

var loops = []Kind{
	{
		Code: EmptyLoop, Scope: record.AboutCase, Trust: Times, Derived: true, Anchor: "loops-that-measure-nothing",
		Name:     "as fast as an empty loop, or nearly after a dear first operation",
		Sentence: "as fast as {loop} ({figure}): the compiler may have removed what should be measured",
		Advice:   "keep the result alive: use for b.Loop(), bench.Sink, or store it in a package variable",
		Forms: []Form{
			{Name: "first", Sentence: "the first operation takes {first}, the others little more than an empty loop ({floor}): the work is done once, or it is set-up with the timer on", Advice: ownInput + "; use for b.Loop(), or b.ResetTimer after set-up"},
			{Name: "first-reset", Sentence: "the first operation takes {first}, the others little more than an empty loop ({floor}): the work is done once", Advice: ownInput},
		},
		When: "ns/op is at most 1.2 times that of an empty loop. Or it is at most 4 times that, and the first " +
			"operation of an iteration takes at least 2 µs and 500 times as long as the others. Where package " +
			"bench measures an empty body in the same forks, the limit is 1.2 times the sum of both, because a " +
			"loop takes a cycle more at an unfavourable address",
	},
	{
		Code: FirstOperation, Scope: record.AboutCase, Derived: true, Anchor: "loops-that-measure-nothing", Name: "a first operation that takes far longer",
		Sentence: "the first operation of an iteration takes {first}, the others {others}",
		Advice:   "if the first one uses up an input, the others measure nothing: give each its own; if it fills a cache, all is well",
		When:     "the timer is reset after set-up, and the first operation of an iteration takes 20 µs and 100 times as much as the others or more",
	},
	{
		Code: FixedCost, Scope: record.AboutCase, Trust: Times, Derived: true, Anchor: "loops-that-measure-nothing",
		Name:     "much of an iteration does not depend on the number of operations",
		Sentence: fixedPart + setUpInTimer,
		Advice:   "use for b.Loop(), or b.ResetTimer after set-up; " + ownInput + largerTime,
		Forms: []Form{
			{Name: "reset", Sentence: fixedPart + onlyFirst, Advice: ownInput + largerTime},
			{Name: "unused", Sentence: fixedPart + "the function does not use b.N, or " + setUpInTimer, Advice: "repeat the operation by for b.Loop(), or b.ResetTimer after set-up" + largerTime},
		},
		When: "at least a quarter of an iteration (for N below 7: at least 2/(N+1)) does not depend on the number " +
			"of operations, and other processes did not disturb the measurement",
	},
	{
		Code: NearLoop, Scope: record.AboutCase, Derived: true, Anchor: "loops-that-measure-nothing", Name: "little more than an empty loop",
		Sentence: "little more than an empty loop ({floor}): half or more of the figure may be the loop",
		Advice:   "do more work in an operation, and compare differences in ns, not ratios",
		When:     "ns/op is at most twice that of an empty loop",
	},
	{
		Code: NUnused, Scope: record.AboutCase, Trust: Times, Derived: true, Anchor: "loops-that-measure-nothing", Name: "the function does not use b.N",
		Sentence: "the function does not use b.N: an iteration takes {iteration}, an empty loop of {operations} operations would take {empty}",
		Advice:   "repeat the operation by for b.Loop(), or for range b.N",
		When:     "an iteration ends in less than half the time of an empty loop of N operations: the function does not use b.N",
	},
}
