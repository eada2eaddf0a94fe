package record

import "time"

// Version is the version of the record format that this package writes and the
// newest that it reads.
const Version = 1

// A Line is one line of a record file. The concrete types are *Run, *Bin,
// *Case, *Fork, *Sample, *Hist, *Load, *Marks, *Stall, *Agent, *Overhead, *Reference, *AnotherRun, *Warn, *Attach, *InterimAnalysis, *Replan, *Bisect and *End. In the file the
// kind comes first, as key "k", and then the type's fields under the keys of
// their tags. Keys marked omitempty are absent when zero.
type Line interface{ kind() string }

func (*Run) kind() string             { return "run" }
func (*Bin) kind() string             { return "bin" }
func (*Case) kind() string            { return "case" }
func (*Fork) kind() string            { return "fork" }
func (*Sample) kind() string          { return "sample" }
func (*Hist) kind() string            { return "hist" }
func (*Load) kind() string            { return "load" }
func (*Marks) kind() string           { return "marks" }
func (*Overhead) kind() string        { return "tare" }
func (*Warn) kind() string            { return "warn" }
func (*Attach) kind() string          { return "attach" }
func (*InterimAnalysis) kind() string { return "look" }
func (*Reference) kind() string       { return "reference" }
func (*AnotherRun) kind() string      { return "another" }
func (*Replan) kind() string          { return "replan" }
func (*End) kind() string             { return "end" }

// The modes of a case.
const (
	ModeN    = "N"    // every iteration has the same N
	ModeTime = "time" // testing chooses N for a duration; needed by RunParallel
)

// Case is one benchmark with its parameters, side and GOMAXPROCS.
type Case struct {
	ID         int             `json:"id"`               // from 1, unique among the cases of the file
	Pkg        string          `json:"pkg"`              // import path
	Name       string          `json:"name"`             // as testing prints it, without "Benchmark" and "-procs"
	Params     []Param         `json:"params,omitempty"` // the k=v parts of the name, see [ParseName]
	Side       string          `json:"side,omitempty"`   // name of its [Side]
	Bin        int             `json:"bin"`              // ID of its [Bin]
	Procs      int             `json:"procs"`            // GOMAXPROCS
	Mode       string          `json:"mode"`             // ModeN or ModeTime
	N          int64           `json:"n,omitempty"`      // operations per iteration, mode N
	Wall       int64           `json:"wall,omitempty"`   // expected wall time of a fork from calibration, ns
	SingleShot bool            `json:"shot,omitempty"`   // one cold operation per fork, no warm-up
	Roles      []string        `json:"roles,omitempty"`  // roles that its samples may have
	Units      map[string]Unit `json:"units,omitempty"`  // the benchmark's metadata of its units, see [UnitOf]

	// Threshold is the relative change that does not matter for this benchmark, if it is another than that of the [Config].
	Threshold float64 `json:"threshold,omitempty"`

	// Iterations and Time are those of the forks that count where they differ from the [Config]: more iterations, each
	// shorter. Long says why they do not differ, where the Config allows it.
	Iterations int           `json:"iterations,omitempty"`
	Time       time.Duration `json:"time,omitempty"`
	Long       string        `json:"long,omitempty"`

	Calibration *Calibration `json:"calibration,omitempty"` // absent if N was not searched

	// Forms are those of the loops that the benchmark's code may reach: FormN …; absent if that is not known. Resets says
	// that it may call ResetTimer, so that what comes before is not measured.
	Forms  []string `json:"forms,omitempty"`
	Resets bool     `json:"resets,omitempty"`

	// Group is the top-level benchmark whose sub-benchmarks run together in one process: this case's and the others of
	// its package, side and procs that name it. Absent: each fork of the case is a process of its own.
	Group string `json:"group,omitempty"`

	// Code is a digest of the machine code of the benchmark's function, of its closures and of what these call, but for the
	// runtime: equal ones are of equal code, wherever it lies in the binaries. Absent if that is not known.
	Code string `json:"code,omitempty"`

	// NameHash is the first 8 hexadecimal digits of the SHA-256 of the benchmark's original name, if secrets were redacted in
	// Name. It distinguishes names that differ only in a secret. It is short, so that it reveals little of the secret.
	NameHash string `json:"name_hash,omitempty"`
}

// Iterating returns how many iterations of a fork of c are measured, and how long each should last.
func (c *Config) Iterating(x *Case) (int, time.Duration) {
	if x.Iterations > 0 {
		return x.Iterations, x.Time
	}
	return c.Iterations, c.Time
}

// Param is one key=value part of a benchmark's name.
type Param struct {
	Key   string `json:"k"`
	Value string `json:"v"`
}

// Unit says how to read a unit, in the words of x/perf's unit metadata.
type Unit struct {
	Better string `json:"better,omitempty"` // "higher" or "lower"
	Assume string `json:"assume,omitempty"` // "nothing" or "exact"
}

// The states of a fork.
const (
	StateOK      = "ok"
	StateFailed  = "failed"
	StateTimeout = "timeout"
	StatePartial = "partial"
)

// Fork is one process. Its line is written when it has ended, after its samples.
// Samples without a fork line belong to a fork that was cut off.
type Fork struct {
	ID          int      `json:"id"`                   // from 1, unique among the forks of the file
	Case        int      `json:"case"`                 // ID of its [Case]
	Bin         int      `json:"bin"`                  // ID of its [Bin]
	Round       int      `json:"round"`                // from 1
	Order       int      `json:"order"`                // position in the whole run, from 1
	Purpose     string   `json:"purpose"`              // PurposeTiming …, or a profiler's name
	Start       int64    `json:"start"`                // CLOCK_MONOTONIC ns
	Wall        int64    `json:"wall"`                 // life of the process, ns
	Setup       int64    `json:"setup,omitempty"`      // start and set-up before the first iteration, ns, estimated; without run delay
	HarnessTime int64    `json:"own,omitempty"`        // tare's own time around the fork, ns
	User        int64    `json:"user"`                 // CPU time in user mode, ns
	Sys         int64    `json:"sys"`                  // CPU time in the kernel, ns
	Vcsw        int64    `json:"vcsw"`                 // voluntary context switches
	Ivcsw       int64    `json:"ivcsw"`                // involuntary context switches
	Minflt      int64    `json:"minflt"`               // page faults without input
	Majflt      int64    `json:"majflt"`               // page faults with input
	Steal       int64    `json:"steal,omitempty"`      // time stolen by the hypervisor during the fork, ns over all CPUs
	Others      *int64   `json:"others,omitempty"`     // CPU time that other programs used during the fork, ns over all CPUs, in steps of 10 ms; nil: not known
	Idle        int64    `json:"idle,omitempty"`       // where Others is known, time in which CPUs had nothing to do during the fork, ns over all CPUs
	Lost        *float64 `json:"lost,omitempty"`       // share of the measured iterations' wall time in which it could run and others had the processors, of a benchmark that reaches RunParallel the share of its threads' time; nil: not known
	Starved     bool     `json:"starved,omitempty"`    // Lost is above the limit: the fork is excluded from the results if enough others remain
	Throttled   int64    `json:"throttled,omitempty"`  // time that a CPU quota stopped the control group during the fork, ns over all CPUs
	MaxRSS      int64    `json:"peak,omitempty"`       // peak resident memory of the largest of its processes, bytes; 0 = not available
	MaxRSSBelow int64    `json:"peak_below,omitempty"` // where MaxRSS is 0, it was below this, bytes; 0 = nothing is known
	MaxRSSBy    string   `json:"peak_by,omitempty"`    // how MaxRSS was obtained, or why it was not
	Process     int      `json:"process,omitempty"`    // of a case with a Group: the least ID of the forks that are one process. Start and Wall are then the part of the process's life in which the case ran, and times and counts of the system a share in proportion to Wall
	Exit        string   `json:"exit"`                 // "0", "2", "signal: killed"
	State       string   `json:"state"`                // StateOK …
	Why         string   `json:"why,omitempty"`        // what was wrong, one line
	Tail        string   `json:"tail,omitempty"`       // last lines of the output of a fork that was not ok
}

// The phases of a sample.
const (
	PhaseWarmup   = "warmup"
	PhaseMeasure  = "measure"
	PhaseBaseline = "baseline"
)

// Sample is one iteration of a fork.
type Sample struct {
	Fork    int    `json:"fork"`              // ID of its [Fork], whose line comes later
	Iter    int    `json:"iter"`              // from 1, warm-up included
	Phase   string `json:"phase"`             // PhaseWarmup …
	Role    string `json:"role,omitempty"`    // of the measured goroutines, absent for all of them
	T       int64  `json:"t"`                 // end of the iteration, CLOCK_MONOTONIC ns
	Wall    int64  `json:"wall,omitempty"`    // wall time of the iteration as the parent saw it, ns
	CPU     int64  `json:"cpu,omitempty"`     // CPU time of the process during Wall, all threads, ns; absent: not known
	Delay   int64  `json:"delay,omitempty"`   // run delay in Wall, summed over the threads, ns, at least 1; absent: not known
	Batched bool   `json:"batched,omitempty"` // its result was read together with another one's: only the sums of Wall, CPU and Delay of both are right
	Ns      int64  `json:"ns"`                // time measured by the benchmark, ns; 0 if it reports none
	Ops     int64  `json:"ops"`               // operations
	V       Values `json:"v"`                 // unit → value
}

// The tags of a histogram say what its values are.
const (
	TagResponse = "response" // end − due: the time that a client waits
	TagService  = "service"  // end − start
	TagLateness = "lateness" // start − due, of workers that were waiting at due
	TagFailed   = "failed"   // end − due of operations that failed; end − start in a closed loop

	// Of operations of a load run that were never answered, at its end: lower bounds of
	// what the first two would have been.
	TagUnanswered        = "unanswered"         // end − due: in flight, or due and never sent
	TagUnansweredService = "unanswered-service" // end − start: in flight
)

// AnyKind is the name of a [Hist] of a load run whose operations may be of any kind, as those
// that were never sent.
const AnyKind = "ANY"

// Hist is the latencies of one window, as HdrHistogram's V2 compressed payload.
type Hist struct {
	Fork   int    `json:"fork,omitempty"` // ID of its [Fork]; absent in a load run
	Name   string `json:"name,omitempty"` // operation of a load run, "READ"
	Iter   int    `json:"iter,omitempty"` // of the fork, as in its samples
	Role   string `json:"role,omitempty"` // of the goroutines measured
	Tag    string `json:"tag"`            // TagResponse …
	Start  int64  `json:"start"`          // of the window, CLOCK_MONOTONIC ns
	Length int64  `json:"length"`         // of the window, ns
	Unit   string `json:"unit"`           // of its values: "ns"
	Data   []byte `json:"data"`           // base64 in the file
}

// Overhead is what the tool itself adds, its "tare". A value that is absent was not measured.
type Overhead struct {
	Fork     int      `json:"fork,omitempty"`     // 0: the whole run
	Clock    float64  `json:"clock,omitempty"`    // cost of one clock read, ns
	Loop     float64  `json:"loop,omitempty"`     // an empty loop, ns per iteration
	Probe    float64  `json:"probe,omitempty"`    // ns per probe
	Harness  *Harness `json:"harness,omitempty"`  // of a load run: what an operation takes on a system that does nothing
	Launcher int64    `json:"launcher,omitempty"` // tare's own time per fork beyond the child's life, ns, median
	Peak     int64    `json:"peak,omitempty"`     // the launcher's own peak memory, bytes
	Steal    float64  `json:"steal,omitempty"`    // share of the machine's CPU time stolen during the run
	Load     float64  `json:"load,omitempty"`     // load average (1 min) at the start of the run
	Others   *float64 `json:"others,omitempty"`   // CPUs that other programs used during the run, on average; 1.5 is one and a half; nil: not known
	Priority string   `json:"priority,omitempty"` // of the forks over other programs: "autogroup -20"; absent: none
	Wall     int64    `json:"wall,omitempty"`     // wall time from the first fork's start to the last one's end, ns
	Planned  int64    `json:"planned,omitempty"`  // planned Wall, ns

	// Bins are the IDs of binaries that EmptyLoops are about: they were measured in a program with the same build settings.
	Bins       []int       `json:"bins,omitempty"`
	EmptyLoops []EmptyLoop `json:"empty_loops,omitempty"`
}

// Harness is what the load generator takes for an operation on a system that does nothing: medians, in ns.
type Harness struct {
	Operations int64 `json:"operations"`
	Service    int64 `json:"service"`            // from sending to the answer
	Response   int64 `json:"response,omitempty"` // from the due time; 0 in a closed loop
}

// The forms of a benchmark's loop.
const (
	FormN        = "b.N"         // for i := 0; i < b.N; i++, or for range b.N
	FormLoop     = "b.Loop"      // for b.Loop()
	FormParallel = "RunParallel" // for pb.Next(), in GOMAXPROCS goroutines
)

// EmptyLoop is what a loop without a body takes. Loops at different addresses, and with the two ways of writing b.N,
// differ by a factor of two.
type EmptyLoop struct {
	Form  string  `json:"form"`  // FormN …
	Procs int     `json:"procs"` // GOMAXPROCS
	Min   float64 `json:"min"`   // of the quickest loop, ns per operation
	Max   float64 `json:"max"`   // of the slowest loop, ns per operation
	First float64 `json:"first"` // of a loop that ends after one operation, median, ns
}

// What a warning is about.
const (
	AboutRun  = "run"
	AboutCase = "case"
	AboutFork = "fork"
)

// Warn is a warning about the run, a case or a fork.
type Warn struct {
	About  string `json:"about"`            // AboutRun …
	ID     int    `json:"id,omitempty"`     // of the case or fork
	Code   string `json:"code"`             // stable word for scripts; docs/warnings.md lists them
	Form   string `json:"form,omitempty"`   // which sentence of the code the text is; absent for its first, and of older records
	Text   string `json:"text"`             // one line
	Advice string `json:"advice,omitempty"` // what to do about it, one line

	// Facts are the figures and names in the text and in the advice, as they are written there, by the names that they have
	// in docs/warnings.md; absent where there are none, and in older records.
	Facts map[string]string `json:"facts,omitempty"`
}

// Attach is data of a profiler or a benchmark beside the figures.
type Attach struct {
	Case  int    `json:"case,omitempty"` // ID of the case that it belongs to
	Fork  int    `json:"fork,omitempty"` // ID of the fork that it belongs to
	Bin   int    `json:"bin,omitempty"`  // ID of the binary, for what is known about it without running it
	Iter  int    `json:"iter,omitempty"` // of the fork, absent for all iterations
	Name  string `json:"name"`           // what it is, as the profiler calls it
	Media string `json:"media"`          // media type
	Data  []byte `json:"data,omitempty"` // inline, base64 in the file
	Path  string `json:"path,omitempty"` // or beside the record file, relative to its directory
}

// InterimAnalysis is one check of the results by the stop rule.
type InterimAnalysis struct {
	Round      int     `json:"round"`      // rounds done
	Of         int     `json:"of"`         // checks planned
	Confidence float64 `json:"confidence"` // of the intervals checked
	Widest     float64 `json:"widest"`     // relative half-width of the widest interval; -1: infinite
	Case       int     `json:"case"`       // the case that has it
	Stop       bool    `json:"stop"`       // the rule stops the run
}

// How a run ended.
const (
	EndCompleted = "completed"
	EndPartial   = "partial"
)

// WhyBudgetSpent is [End.Why] of a run that --budget ended.
const WhyBudgetSpent = "the budget is spent"

// End is the last line of a run that tare itself ended.
type End struct {
	State string `json:"state"`         // EndCompleted or EndPartial
	Why   string `json:"why,omitempty"` // it is partial, one line
}

// Reference is one pass over the reference loops: small pieces of work whose speed depends on the machine alone.
type Reference struct {
	Round int             `json:"round"` // of the forks that follow
	T     int64           `json:"t"`     // end of the pass, CLOCK_MONOTONIC ns
	Loops []ReferenceLoop `json:"loops"`
}

// ReferenceLoop is one loop of a pass. Package internal/process/reference says what each does.
type ReferenceLoop struct {
	Name   string  `json:"name"` // "chain", "branch", "l3", "copy" or "alloc"
	Min    float64 `json:"min"`  // quickest repeat, ns per step
	Median float64 `json:"med"`  // median of the repeats, ns per step
	Wall   int64   `json:"wall"` // of all repeats, ns
	CPU    int64   `json:"cpu"`  // CPU time of the loop's process meanwhile, ns
}

// AnotherRun is how far the median of another run on the same machine may be from a case's median, by the earlier
// runs there that were made under like conditions.
type AnotherRun struct {
	Case        int     `json:"case"`
	Half        float64 `json:"half,omitempty"`       // difference of logarithms: within a factor exp(±Half); 0: not known
	Confidence  float64 `json:"confidence,omitempty"` // of Half, between 0 and 1
	Runs        int     `json:"runs"`                 // earlier runs under similar conditions, with at least 10 minutes between two runs
	Seen        int     `json:"seen"`                 // earlier runs under any conditions, with at least 10 minutes between two runs
	Approximate bool    `json:"approx,omitempty"`     // Half is that of other benchmarks
}
