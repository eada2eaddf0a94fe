package bisect

import "github.com/tarebench/tare/stat"

// Options are the options of a Search. The zero value has all defaults.
type Options struct {
	Seed      uint64  // of the order of forks
	Exact     bool    // the metric hardly varies between forks of one binary (allocs/op, B/op): two forks a commit
	Threshold float64 // a change of GOOD to BAD that is surely smaller is none; 0 means [DefaultThreshold]
	MaxForks  int     // after which the search gives up; 0 means [DefaultMaxForks]
}

// DefaultMaxForks is the default of Options.MaxForks.
const DefaultMaxForks = 10_000

// State is how far a search has come.
type State string

// The states of a search.
const (
	Searching State = "searching"
	Found     State = "found"     // Result.First is the first commit of the new level, or one of Result.Group
	Nothing   State = "nothing"   // GOOD and BAD do not differ by more than the threshold
	Undecided State = "undecided" // the forks were not enough; the probabilities say what is known
	Unusable  State = "unusable"  // GOOD or BAD cannot be measured
)

// Round names commits to measure, one fork each, in this order. A commit may occur several times. A round without commits
// ends the search.
type Round struct{ Commits []int }

// Result is what a search knows.
type Result struct {
	State State
	// Probabilities has for each commit the probability that it is the first of the new level; that of commit 0 is 0.
	Probabilities []float64
	First         int   // the most probable one; 0 before anything is known
	Group         []int // First and the commits that cannot be distinguished from it, because those between cannot be measured

	// Ratio is by what factor the value grows from the last commit before Group to Group; Lo … Hi is its 95 % interval.
	// Before these two were compared, and if nothing was found, it is that of BAD over GOOD.
	Ratio, Lo, Hi float64

	Ends  stat.Estimate // BAD over GOOD
	Part  bool          // First explains only a part of Ends: there are other steps
	Forks int           // measured
	Built int           // commits that were measured
}
