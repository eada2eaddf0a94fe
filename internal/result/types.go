package result

import (
	"math"
	"time"

	"github.com/tarebench/tare/internal/numbers/aatest"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Result is what a record file says. It is also the object that
// `--format json` prints; keys are absent where they do not apply.
type Result struct {
	Run         *record.Run              `json:"run,omitempty"`
	Confidence  float64                  `json:"confidence,omitempty"` // of the intervals
	Build       []Built                  `json:"build,omitempty"`      // sides with build settings that differ from the default
	Results     []Benchmark              `json:"results"`
	Comparisons []Comparison             `json:"comparisons,omitempty"` // each side with the first
	Geomeans    []Geomean                `json:"geomeans,omitempty"`
	Counted     []CountedInstructions    `json:"instructions,omitempty"` // of each side with the first, where both were counted
	Lost        []Lost                   `json:"lost,omitempty"`         // what the first side has and another has not
	Gates       []Gated                  `json:"gates,omitempty"`        // what gates found about Lost and Comparisons; set by package gate
	GateCounts  *GateCounts              `json:"gate_counts,omitempty"`  // of the rows under gates; nil: there were no gates
	Complexity  []Complexity             `json:"complexity,omitempty"`   // growth with a parameter n or size
	Latencies   []Latency                `json:"latencies,omitempty"`
	Listings    []Profiled[record.Asm]   `json:"-"` // machine code in which the time went
	Calls       []Profiled[record.Trace] `json:"-"` // calls that probes counted
	Stacks      []Profiled[CallStacks]   `json:"-"` // call stacks that a sampler saw
	Plain       time.Duration            `json:"-"` // of a contrast: how long the program took by itself; 0: not measured
	Damages     []Damage                 `json:"-"` // of Listings, Calls and Stacks
	Compiled    []Compiled               `json:"-"` // what the compiler said about the binaries

	// CompilerNotes are what differs of Compiled between each side and the first.
	CompilerNotes []CompilerDifference `json:"compiler,omitempty"`

	Selftest    *aatest.Result    `json:"-"`                      // of a self-test: false positives of two ways of measuring
	Bisect      *record.Bisect    `json:"bisect,omitempty"`       // of a search for a commit
	Load        *Load             `json:"load,omitempty"`         // of a load run; in a search, the step at the knee
	Objectives  []Outcome         `json:"objectives,omitempty"`   // of Load
	Phases      []Load            `json:"phases,omitempty"`       // insertion and warm-up, which are in no figure of the run
	Stepped     string            `json:"stepped,omitempty"`      // SteppedSearch or SteppedSweep: the run has Steps
	Steps       []Load            `json:"steps,omitempty"`        // in the order in which they were made
	Knee        *Knee             `json:"knee,omitempty"`         // of a search
	LoadPairs   *LoadPairs        `json:"load_pairs,omitempty"`   // of a load run of two sides: what Comparisons rest on
	FirstErrors map[string]string `json:"first_errors,omitempty"` // of all Steps or sides, by class
	Agents      []*Agents         `json:"agents,omitempty"`       // the load generators of a run of several, by phase

	Tare     record.Overhead `json:"tare"`
	Warnings []Warning       `json:"warnings,omitempty"` // about the whole run
	End      *record.End     `json:"end,omitempty"`      // nil: the run was cut off

	names names
}

// Benchmark is one benchmark on one side, seen through its main unit; Metrics
// holds the other units. For its JSON see [Benchmark.MarshalJSON].
type Benchmark struct {
	Case   int // ID in the record
	Pkg    string
	Name   string // without "Benchmark" and "-procs"
	Params Params
	Procs  int
	Side   string
	Whole  string // Name as the record has it, where the value of a key in it is Side; else ""
	Role   string
	Mode   string
	N      int64 // operations per iteration, mode N

	Unit        string  // the main unit: ns/op if the benchmark reports it
	Forks       int     // forks that count
	ForksFailed int     // forks that failed, replaced ones included
	Starved     int     // good forks that do not count, because others used the processors
	Lost        *Number // share of their time that the forks that count lost to others, median; nil: not known
	Cores       float64 // processors that a fork that counts kept busy while it was measured, median; 0: not known; not in the JSON
	Rounds      int     // rounds in which a fork was run; Forks if each gave one that counts
	Interval
	Confidence    float64     // true coverage of lo … hi; 0 if infinite
	SpreadWithin  float64     // relative sd of the iterations inside a fork
	SpreadBetween float64     // robust relative sd of the fork values
	Another       *Another    // where the median of another run may be; nil: the record does not say
	Values        []Number    // one per fork that counts, in time order
	Components    []Component // of the variance, lowest level first
	Iterations    [][]float64 // measured ones of the forks in Values, at most 32 of each; not to be changed
	Iterated      int         // measured iterations of a fork, the most
	SingleShot    bool        // each fork runs one cold operation
	Planned       Iterating   // how forks iterate
	Advice        string      // where more measuring pays

	Metrics    Metrics     // the other units, in the order reported
	Goroutines *Goroutines // of the first role's row: which goroutines ran, if that was traced
	Waits      *Waits      // of the first role's row: what goroutines waited for
	Heap       *Heap       // of the first role's row: what occupied the heap, if that was read
	Allocs     *Allocs     // of the first role's row: what an operation allocates by site, if that was counted

	Instructions *Instructions // of the first role's row: by function and line, if they were counted
	Warnings     []Warning

	Failed string // why there is no number, one line
	Tail   string // end of the output of a failed fork
}

// Interval is a median with its confidence interval. Lo and Hi are infinite
// where there are too few forks for the confidence asked for.
type Interval struct {
	Median Number `json:"median"`
	Lo     Number `json:"lo"`
	Hi     Number `json:"hi"`
}

// Metric is one of the other units of a result.
type Metric struct {
	Unit string
	Interval
	Values []Number // one per fork that counts, in time order; NaN where a fork did not report it

	Iterations [][]float64 // as those of the Result; empty where a fork did not report it
}

// Iterating is how forks of a benchmark iterate where that is the benchmark's own choice; else it is zero.
type Iterating struct {
	Iterations int           // that are measured
	Time       time.Duration // that each should last
	Long       string        // why they are not shorter, and more
}

// Metrics are written to JSON as one object {unit: {median, lo, hi}}.
type Metrics []Metric

// Params are written to JSON as one object {key: value}.
type Params []record.Param

// Warning is a warning about a result: a text prints it as a note.
type Warning struct {
	Code   string `json:"code"`             // a stable word for scripts
	Text   string `json:"text"`             // one line
	Advice string `json:"advice,omitempty"` // what to do about it, one line

	Side     string  `json:"side,omitempty"` // that it is about, where sides are compared; "": both, or the run
	Listed   bool    `json:"-"`              // Result.Lost has all that it names
	Figure   string  `json:"-"`              // the number that the text is about: "0.9 %"
	Severity float64 `json:"-"`              // of warnings with the same code, the highest is the worst
}

// Comparison is one unit of one benchmark on two sides. Ratios are new over old.
type Comparison struct {
	Case          int       `json:"-"` // ID of the new side's case
	Pkg           string    `json:"pkg"`
	Name          string    `json:"name"`
	Renamed       *Renamed  `json:"renamed,omitempty"` // the sides' names for it, of which Name is made; nil: Name is that of both
	Procs         int       `json:"procs,omitempty"`
	Role          string    `json:"role,omitempty"`
	Base          string    `json:"base"` // side of Old
	Side          string    `json:"side"` // side of New
	Unit          string    `json:"unit"`
	Main          bool      `json:"main,omitempty"` // Unit is the benchmark's main unit
	Old           Number    `json:"old"`
	New           Number    `json:"new"`
	Ratio         Number    `json:"ratio"` // Hodges–Lehmann
	Lo            Number    `json:"lo"`
	Hi            Number    `json:"hi"`
	Confidence    float64   `json:"confidence,omitempty"`
	P             Number    `json:"p"`                   // Mann–Whitney
	AdjustedP     Number    `json:"adjusted_p"`          // corrected over the table
	Bootstrap     *Interval `json:"bootstrap,omitempty"` // ratio of the medians
	Test          string    `json:"test,omitempty"`      // record.TestSavage where that was used; it has the next four
	By            string    `json:"by,omitempty"`        // whose ratio, lo and hi are above: "undisturbed" or "typical"
	Undisturbed   *Shift    `json:"undisturbed,omitempty"`
	Typical       *Shift    `json:"typical,omitempty"`
	Also          []Shift   `json:"also,omitempty"`          // other quantities that have moved; no verdict depends on them
	Unseen        []string  `json:"not_looked_at,omitempty"` // of those quantities, the ones that nothing is known of: QuantityTail …
	RunDifference float64   `json:"apart,omitempty"`         // of sides of two runs: by how much runs may differ, as a difference of logarithms; Lo and Hi include it
	Verdict       string    `json:"verdict"`                 // see stat.Verdict
	Bound         Number    `json:"bound"`                   // largest change that the interval does not exclude
	Trusted       bool      `json:"trusted"`
	Reasons       []string  `json:"reasons,omitempty"`      // codes of what speaks against trust
	ForksNeeded   int       `json:"forks_needed,omitempty"` // per side, in all, to decide it
	Warnings      []Warning `json:"-"`                      // of both sides; see MarshalJSON
	OldN, NewN    int       `json:"-"`                      // forks that count
	Sample        string    `json:"sample,omitempty"`       // what was sampled instead of forks: SampleWindows, SampleStarts
	result        stat.Comparison
	testedP       float64      // Mann–Whitney's, also where the verdict needs no test
	counts        []float64    // of the new side's forks; nil unless they vary and the base's do not
	sameBinary    *record.Warn // both sides ran the same binary, and no difference between them was asked for; or nil
}

// Geomean is the geometric mean of the ratios of one unit over all benchmarks
// of a side against the base. It describes; it tests nothing.
type Geomean struct {
	Base  string `json:"base"`
	Side  string `json:"side"`
	Unit  string `json:"unit"`
	N     int    `json:"n"` // benchmarks
	Ratio Number `json:"ratio"`
	Lo    Number `json:"lo"`
	Hi    Number `json:"hi"`
}

// Number is a figure as JSON has it.
type Number = stat.Number

// Reported returns the values without those of forks that did not report the unit.
func Reported(values []Number) []float64 {
	var out []float64
	for _, v := range values {
		if x := float64(v); !math.IsNaN(x) {
			out = append(out, x)
		}
	}
	return out
}

// Tables of what profilers attach to forks.
type (
	Heap           = attached.Heap
	HeapPart       = attached.HeapPart
	HeapSite       = attached.HeapSite
	HeapType       = attached.HeapType
	Allocs         = attached.Allocs
	AllocPart      = attached.AllocPart
	AllocSite      = attached.AllocSite
	AllocChange    = attached.AllocChange
	Goroutines     = attached.Goroutines
	GoroutineGroup = attached.GoroutineGroup
	Waits          = attached.Waits
	WaitCause      = attached.WaitCause
	WaitSite       = attached.WaitSite
	WaitDifference = attached.WaitDifference
	Instructions   = attached.Instructions
)
