package record

// AttachTrace is the name of the attachment with the counts of probes in a program's
// functions: JSON of a [Trace].
const AttachTrace = "trace"

// Trace holds which functions a program called, how often, for how long and from
// where, counted by probes at their beginning and end. Times are in ns. Raw times are
// as measured; corrected ones are reduced by the time of the probes and never below
// 0.
type Trace struct {
	Mode  string     `json:"mode"`            // TraceExact, TraceEvery or TraceCount
	Every int64      `json:"every,omitempty"` // mean number of calls per timed call; 0: all or none are timed
	Clock string     `json:"clock"`           // TraceCycles or TraceMonotonic
	Tick  float64    `json:"tick_ns"`         // resolution of the clock
	Probe TraceProbe `json:"probe"`
	Ended bool       `json:"ended"` // the program ended by os.Exit or from main; false: it was killed, crashed, or still runs

	Window  string `json:"window,omitempty"`  // of a benchmark: AsmMarks or AsmRough; "": the whole life of the program
	Windows int    `json:"windows,omitempty"` // measured iterations that were counted
	Ops     int64  `json:"ops,omitempty"`     // operations in them; 0: not known
	Forks   int    `json:"forks,omitempty"`   // number of forks merged by MergeTraces; 0: the trace is of one fork

	Calls      int64 `json:"calls"`                // of all functions
	Goroutines int64 `json:"goroutines,omitempty"` // goroutines that called any; 0: not known, because calls were only counted
	Lost       int64 `json:"lost,omitempty"`       // part of Calls without room in Tree: counted but not timed
	System     int64 `json:"system,omitempty"`     // part of Calls on threads' system stacks: counted but not timed

	Funcs    []TraceFunc `json:"funcs"`                        // that have probes, called or not, by name
	Tree     []TraceCall `json:"tree,omitempty"`               // each after its Parent
	Path     []TraceStep `json:"path,omitempty"`               // the first calls, in their order
	PathMore int64       `json:"path_more"`                    // calls after those of Path
	Left     []TraceLeft `json:"left,omitempty"`               // functions that match but were skipped
	Inlined  []string    `json:"inlined,omitempty"`            // functions that would have been inlined without probes
	Allocs   []string    `json:"inlined_allocating,omitempty"` // part of Inlined that allocates: without probes, that may be on the stack of the caller
	Unknown  string      `json:"unknown,omitempty"`            // why Inlined is not known; "": it is
	Version  string      `json:"go,omitempty"`                 // of the toolchain
	Binary   string      `json:"binary,omitempty"`             // name of the program
	Added    float64     `json:"added_ns,omitempty"`           // estimated total time of all probes

	// Others is the share of the machine's processor time, 0 to 1, that other processes or
	// a hypervisor used while the program ran. 0: hardly any, or not known.
	Others float64 `json:"others,omitempty"`

	// Waited is the share, 0 to 1, of the time in which the process could run that it waited for a processor, because other
	// processes used them. Such waits are part of the functions' times. 0: hardly any, or not known.
	Waited float64 `json:"waited,omitempty"`

	// Length is how long the benchmark's timer ran while calls were counted, ns. 0: not known.
	Length float64 `json:"length_ns,omitempty"`

	// Plain is what the counted operations take in forks without probes, ns, and PlainError its standard error. Who reads a
	// record sets them from these forks. 0: not known.
	Plain      float64 `json:"-"`
	PlainError float64 `json:"-"`

	Scale Scale `json:"-"` // that corrected times go by; see [Trace.Scaled]

	factors float64 // standard error of Scale.Factor, by how much forks with probes differ
}

// What a [Trace] holds.
const (
	TraceExact = "exact" // each call is timed
	TraceEvery = "every" // one of Every calls is timed: totals are estimates
	TraceCount = "count" // calls are only counted
)

// Clocks of a [Trace].
const (
	TraceCycles    = "cycles"    // the processor's time stamp counter
	TraceMonotonic = "monotonic" // the kernel's clock
)

// SharedTrace is the least Others at which a corrected time may be several times too
// long.
const SharedTrace = 0.1

// TraceProbe is the cost of a probe in ns per call, measured at the start of the
// program.
type TraceProbe struct {
	Outside float64 `json:"outside_ns"`         // by which a timed call lengthens its caller's time
	Inside  float64 `json:"inside_ns"`          // part of Outside that lengthens the function's own time
	Light   float64 `json:"light_ns,omitempty"` // a call that is counted and not timed
	Loose   float64 `json:"loose_ns,omitempty"` // cost of a call that is timed imprecisely: see TraceFunc.Loose
}

// TraceFunc is a function. For recursive calls on the same goroutine, Total and
// Corrected include only the outer call.
type TraceFunc struct {
	Name string `json:"name"` // with the path of its package, as stack traces have it
	File string `json:"file"`
	Line int    `json:"line"`

	Calls      int64 `json:"calls"`                // that began
	Timed      int64 `json:"timed"`                // calls that were timed and have ended
	Loose      int64 `json:"loose,omitempty"`      // part of Timed that followed calls hardly longer than a probe: out-of-order execution may make their time too short
	Untimed    int64 `json:"untimed,omitempty"`    // part of Calls in Trace.Lost or Trace.System: Total and other sums exclude them
	Open       int64 `json:"open,omitempty"`       // calls that had not ended when the program did: excluded from sums
	Panics     int64 `json:"panics,omitempty"`     // that a panic ended
	Goexits    int64 `json:"goexits,omitempty"`    // that runtime.Goexit ended
	Goroutines int64 `json:"goroutines,omitempty"` // that called it

	// Calls per operation of the fork with the fewest and of the fork with the most, in a
	// merged trace. Both are 0 otherwise.
	FewestPerOp float64 `json:"fewest_per_op,omitempty"`
	MostPerOp   float64 `json:"most_per_op,omitempty"`

	Total         float64 `json:"total_ns"`                // from begin to end, of all calls
	Self          float64 `json:"self_ns"`                 // without called functions that have probes
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

// TraceBucket is the number of calls that took at least From and less than To.
type TraceBucket struct {
	From float64 `json:"from_ns"`
	To   float64 `json:"to_ns"`
	N    int64   `json:"n"`
}

// TraceCall is a node in the tree of calls: a function called by its Parent. A
// recursive call is a call Back to the element of that function on the path to the
// root; calls that it makes are counted at that element.
type TraceCall struct {
	Func   int `json:"f"`           // of Funcs
	Parent int `json:"p"`           // of Tree; -1: the root of a goroutine's calls
	Back   int `json:"b,omitempty"` // elements up the path to the function itself; 0: no recursion, 1: it called itself

	Calls         int64   `json:"calls"`
	Timed         int64   `json:"timed"`
	Total         float64 `json:"total_ns"`                    // of all of them, as if each were the only one
	Corrected     float64 `json:"corrected_ns"`                // Total without probes
	Self          float64 `json:"self_ns,omitempty"`           // including calls back to here, without called functions
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

// Probes reports whether a function's time is mostly that of its probe, so that the
// corrected time is unreliable. Loose calls alone do not suffice: they only make the
// time less precise.
func (f *TraceFunc) Probes() bool { return f.Dominated && !(f.Corrected >= 0.2*f.Total) }

// PerOp returns the mean number of calls of a function per operation, and the least
// and largest number of a fork. It returns 0 if the number of operations is not
// known.
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
