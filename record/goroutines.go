package record

// AttachGoroutines is the name of a fork's attachment with the goroutines that ran:
// JSON of a [Goroutines].
const AttachGoroutines = "goroutines"

// Goroutines holds the goroutines that ran in the measured windows of a fork, and how
// long, from the execution trace. All times are in ns, summed over the windows.
type Goroutines struct {
	Windows int     `json:"windows"`          // iterations in the sums
	Ops     int64   `json:"ops"`              // operations in them
	Wall    int64   `json:"wall_ns"`          // their length
	Traced  float64 `json:"traced"`           // share of Wall in the traces: 1, or less if they became too large
	CPU     int64   `json:"cpu_ns,omitempty"` // CPU time of the process in the windows, by the kernel; 0: not known
	Tracer  int64   `json:"tracer_ns"`        // running time of the tracer's goroutines, which are excluded from the groups

	Groups []GoroutineGroup `json:"groups"` // the most running time first
}

// GoroutineGroup is the goroutines that began in one function and ran in a window.
// Running is time on a P, one of the scheduler's GOMAXPROCS places. A thread that the
// kernel has preempted still counts as running.
type GoroutineGroup struct {
	Func  string `json:"func"`  // the function they began in; "" for all groups that are not listed
	Count int    `json:"count"` // goroutines

	Running    int64 `json:"running_ns"`
	RunningMin int64 `json:"running_min_ns"` // of one goroutine
	RunningMax int64 `json:"running_max_ns"`

	Slices   int64 `json:"slices"`      // times that one was put on a P
	Runnable int64 `json:"runnable_ns"` // waiting for a P
	Blocked  int64 `json:"blocked_ns"`  // waiting for something else
	Syscall  int64 `json:"syscall_ns"`  // in system calls that gave up the P, or may have
}
