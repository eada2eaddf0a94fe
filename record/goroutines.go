package record

// AttachGoroutines is the name of the attachment of a fork that says which
// goroutines ran: JSON of a [Goroutines].
const AttachGoroutines = "goroutines"

// Goroutines says which goroutines ran in the measured windows of a fork, and how
// long, by the execution trace. All times are in ns, summed up over the windows.
type Goroutines struct {
	Windows int     `json:"windows"`          // iterations that are summed up
	Ops     int64   `json:"ops"`              // operations in them
	Wall    int64   `json:"wall_ns"`          // their length
	Traced  float64 `json:"traced"`           // the share of Wall that is in the traces: 1, less if they became too large
	CPU     int64   `json:"cpu_ns,omitempty"` // of the process meanwhile, by the kernel; 0: not known
	Tracer  int64   `json:"tracer_ns"`        // running time of the tracer's own goroutines, which are in no group

	Groups []GoroutineGroup `json:"groups"` // the most running time first
}

// GoroutineGroup are the goroutines that began in one function and ran in a window.
// Running is time on a P, one of the scheduler's GOMAXPROCS places: a thread that the
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
