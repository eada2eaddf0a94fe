package record

// AttachTrace is the name of the attachment that says what probes in a program's
// functions have counted: JSON of a [Trace].
const AttachTrace = "trace"

// Trace says which functions a program called, how often, for how long and from
// where, by probes at their beginning and end. Times are in ns. Raw ones are as they
// were measured; corrected ones are less by what the probes themselves take, by
// Probe, and never below 0.
type Trace struct {
	Mode  string     `json:"mode"`            // TraceExact, TraceEvery or TraceCount
	Every int64      `json:"every,omitempty"` // of how many calls one was timed, on average; 0: all, or none
	Clock string     `json:"clock"`           // TraceCycles or TraceMonotonic
	Tick  float64    `json:"tick_ns"`         // by how much the clock goes on at a time
	Probe TraceProbe `json:"probe"`
	Ended bool       `json:"ended"` // the program ended by itself, by os.Exit or from main; false: it was killed, crashed, or still runs

	Window  string `json:"window,omitempty"`  // of a benchmark: AsmMarks or AsmRough; "": the whole life of the program
	Windows int    `json:"windows,omitempty"` // measured iterations that were counted
	Ops     int64  `json:"ops,omitempty"`     // operations in them; 0: not known
	Forks   int    `json:"forks,omitempty"`   // that MergeTraces has made one of; 0: it is of one

	Calls      int64 `json:"calls"`                // of all functions
	Goroutines int64 `json:"goroutines,omitempty"` // that called any; 0: not known, as calls were only counted
	Lost       int64 `json:"lost,omitempty"`       // of Calls, those that there was no room for in Tree: they are counted, and not timed
	System     int64 `json:"system,omitempty"`     // of Calls, those on threads' own stacks, likewise

	Funcs    []TraceFunc `json:"funcs"`              // that have probes, called or not, by name
	Tree     []TraceCall `json:"tree,omitempty"`     // each after its Parent
	Path     []TraceStep `json:"path,omitempty"`     // the first calls, in their order
	PathMore int64       `json:"path_more"`          // calls after those of Path
	Left     []TraceLeft `json:"left,omitempty"`     // functions that were left alone although they match
	Inlined  []string    `json:"inlined,omitempty"`  // functions that would have been inlined without probes
	Unknown  string      `json:"unknown,omitempty"`  // why Inlined is not known; "": it is
	Version  string      `json:"go,omitempty"`       // of the toolchain
	Binary   string      `json:"binary,omitempty"`   // name of the program
	Added    float64     `json:"added_ns,omitempty"` // what all probes took together, about

	// Others is the share of the machine's processor time that other processes had, or a
	// hypervisor took, while the program ran: 0 to 1. 0: hardly any, or it is not known.
	Others float64 `json:"others,omitempty"`
}

// What a [Trace] holds.
const (
	TraceExact = "exact" // each call is timed
	TraceEvery = "every" // one of Every is: totals are estimates
	TraceCount = "count" // calls are only counted
)

// Clocks of a [Trace].
const (
	TraceCycles    = "cycles"    // the processor's time stamp counter
	TraceMonotonic = "monotonic" // the kernel's clock
)

// SharedTrace is the least Others by which a time that is left when that of probes is
// subtracted may be several times too long.
const SharedTrace = 0.1

// TraceProbe is what a probe costs in ns per call, measured where the program started.
type TraceProbe struct {
	Outside float64 `json:"outside_ns"`         // a timed call, whole: what its caller's time is longer by
	Inside  float64 `json:"inside_ns"`          // of that, what the function's own time is longer by
	Light   float64 `json:"light_ns,omitempty"` // a call that is counted and not timed
	Loose   float64 `json:"loose_ns,omitempty"` // a call that is timed, but not exactly: see TraceFunc.Loose
}

// TraceFunc is a function. Of one that is called while another call of it has not
// ended, on the same goroutine, Total and Corrected only hold the outer call.
type TraceFunc struct {
	Name string `json:"name"` // with the path of its package, as stack traces have it
	File string `json:"file"`
	Line int    `json:"line"`

	Calls      int64 `json:"calls"`                // that began
	Timed      int64 `json:"timed"`                // that were timed, and have ended
	Loose      int64 `json:"loose,omitempty"`      // of Timed, those that followed on calls hardly longer than a probe: their time may be too short by what the processor had under way
	Untimed    int64 `json:"untimed,omitempty"`    // of Calls, those that are in Trace.Lost or Trace.System: Total and the like are sums of the others
	Open       int64 `json:"open,omitempty"`       // that had not ended when the program did: their time is in no sum
	Panics     int64 `json:"panics,omitempty"`     // that a panic ended
	Goexits    int64 `json:"goexits,omitempty"`    // that runtime.Goexit ended
	Goroutines int64 `json:"goroutines,omitempty"` // that called it

	// Calls per operation, of the fork with the fewest and of that with the most, where
	// MergeTraces has made one of several. Both are 0 where it has not.
	FewestPerOp float64 `json:"fewest_per_op,omitempty"`
	MostPerOp   float64 `json:"most_per_op,omitempty"`

	Total         float64 `json:"total_ns"`                // from begin to end, of all calls
	Self          float64 `json:"self_ns"`                 // without functions that have probes and were called meanwhile
	Corrected     float64 `json:"corrected_ns"`            // Total without probes
	CorrectedSelf float64 `json:"corrected_self_ns"`       // Self without probes
	Error         float64 `json:"error_ns,omitempty"`      // standard error of Total, an estimate where one of several calls is timed
	SelfError     float64 `json:"self_error_ns,omitempty"` // standard error of Self
	Dominated     bool    `json:"dominated"`               // by the probe: Corrected is less than a fifth of Total, or most calls are Loose; not to be relied on

	// Of timed calls, each for itself, raw.
	Min     float64       `json:"min_ns"`
	Max     float64       `json:"max_ns"`
	Mean    float64       `json:"mean_ns"`
	Squares float64       `json:"squares_ns2"` // sum of squares of distances from Mean
	Hist    []TraceBucket `json:"hist,omitempty"`

	long   LongCalls // of all forks
	merged bool      // MergeTraces has found them
}

// TraceBucket counts calls that took at least From and less than To.
type TraceBucket struct {
	From float64 `json:"from_ns"`
	To   float64 `json:"to_ns"`
	N    int64   `json:"n"`
}

// TraceCall is a function in the tree of calls: called by its Parent, which was
// called by its own, and so on. One that is called further down while it is already
// on this way is a call Back to the element that it is up there; what it calls from
// there on is counted with what that one calls.
type TraceCall struct {
	Func   int `json:"f"`           // of Funcs
	Parent int `json:"p"`           // of Tree; -1: it is where a goroutine's calls begin
	Back   int `json:"b,omitempty"` // how many elements of the way back up it leads; 0: none, 1: it called itself

	Calls         int64   `json:"calls"`
	Timed         int64   `json:"timed"`
	Total         float64 `json:"total_ns"`                    // of all of them, as if each were the only one
	Corrected     float64 `json:"corrected_ns"`                // Total without probes
	Self          float64 `json:"self_ns,omitempty"`           // with that of calls back to here, without what is called
	CorrectedSelf float64 `json:"corrected_self_ns,omitempty"` // Self without probes
	Error         float64 `json:"error_ns,omitempty"`          // standard error of Total
}

// TraceStep is a call of the execution path.
type TraceStep struct {
	Func      int     `json:"f"` // of Funcs
	Goroutine int64   `json:"g"`
	Begin     float64 `json:"t_ns"` // since the first step
	Length    float64 `json:"d_ns"` // raw; -1: it had not ended, or was not timed
}

// TraceLeft is a function that matches and has no probe.
type TraceLeft struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// Probes reports whether a function's time is mostly that of the probe: what is left of it
// is not to be relied on. That most of its calls are Loose is not enough: then it is known
// less well, and not wrong.
func (f *TraceFunc) Probes() bool { return f.Dominated && !(f.Corrected >= 0.2*f.Total) }

// PerOp returns how many calls of a function an operation made, on average, and the
// least and the most that a fork did. They are 0 if the number of operations is not known.
func (t *Trace) PerOp(f *TraceFunc) (mean, fewest, most float64) {
	if t.Ops == 0 {
		return 0, 0, 0
	}
	mean = float64(f.Calls) / float64(t.Ops)
	if t.Forks > 1 {
		return mean, f.FewestPerOp, f.MostPerOp
	}
	return mean, mean, mean
}
