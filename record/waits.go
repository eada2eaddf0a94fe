package record

import "fmt"

// AttachWaits is the name of a fork's attachment with what its goroutines waited for: JSON of a [Waits].
const AttachWaits = "waits"

// What goroutines wait for. The first ones, up to WaitOther, are the parts of blocked time.
const (
	WaitLock      = "lock"      // sync.Mutex, sync.RWMutex, and what is built on them, such as sync.Once
	WaitSend      = "send"      // to a channel
	WaitReceive   = "receive"   // from a channel
	WaitSelect    = "select"    // several channel operations
	WaitNetwork   = "network"   // the network poller: sockets and pipes
	WaitSleep     = "sleep"     // time.Sleep
	WaitGC        = "gc"        // assists of the garbage collector that found no work, the start and the end of its cycles
	WaitCond      = "cond"      // sync.Cond
	WaitWaitGroup = "waitgroup" // sync.WaitGroup, in goroutines other than the benchmark's own
	WaitWorkers   = "workers"   // sync.WaitGroup in the benchmark's own goroutine: what it waits for is in the goroutines' own times
	WaitOther     = "other"     // all else, such as coroutines
	WaitSyscall   = "syscall"   // in system calls; not blocked time
	WaitRunnable  = "runnable"  // waiting for a P, one of the scheduler's GOMAXPROCS places; not blocked time
)

// WaitCauses returns all of them in the order above.
func WaitCauses() []string {
	return []string{
		WaitLock, WaitSend, WaitReceive, WaitSelect, WaitNetwork, WaitSleep, WaitGC, WaitCond, WaitWaitGroup, WaitWorkers,
		WaitOther, WaitSyscall, WaitRunnable,
	}
}

// Waits holds what goroutines waited for in the measured windows of a fork, from the execution trace. The goroutines
// of the runtime and of the tracer, and those that waited all the time, are excluded. All times are in ns, summed over
// the windows and goroutines.
//
// The benchmark's own goroutine is the one that starts and stops the timer. Its times add up to the windows: Wall ×
// Traced = OwnRunning + the Own of all Causes + Rest.
type Waits struct {
	Windows int     `json:"windows"` // iterations in the sums
	Ops     int64   `json:"ops"`     // operations in them
	Wall    int64   `json:"wall_ns"` // their length
	Traced  float64 `json:"traced"`  // share of Wall in the traces: 1, or less if they became too large

	OwnRunning int64 `json:"own_running_ns"` // the benchmark's own goroutine, on a P
	Rest       int64 `json:"rest_ns"`        // wall time that is in none of these; negative: the trace events for the limits of windows are outside of them

	Causes []WaitCause `json:"causes"` // those that occurred, in the order of [WaitCauses]
	Sites  []WaitSite  `json:"sites"`  // most time first; there may have been more. Runnable time has no sites
}

// WaitCause is all time for which goroutines waited for one kind of thing.
type WaitCause struct {
	Cause string `json:"cause"`
	Count int64  `json:"count"`  // waits
	Time  int64  `json:"ns"`     // of all goroutines
	Own   int64  `json:"own_ns"` // part of Time: of the benchmark's own goroutine
}

// WaitSite is a line of source at which goroutines waited, and the line that ended it.
type WaitSite struct {
	WaitCause
	At   WaitPlace  `json:"at"`
	Path []string   `json:"path,omitempty"` // of the longest wait: the caller of At, its caller, …
	By   *WaitPlace `json:"by,omitempty"`   // of a lock, where its holder released it; nil: the scheduler, a timer, or the end of the window
}

// WaitPlace is a line of source that calls an operation of the runtime or the standard library.
type WaitPlace struct {
	Func string `json:"func"` // with the path of its package; "": not known
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Op   string `json:"op,omitempty"` // the function called, such as sync.(*Mutex).Lock; of a system call, its name; "" of channels
}

// Validate returns an error if a Waits cannot be of a trace.
func (w *Waits) Validate() error {
	const most = 1 << 60 // ns: sums do not overflow
	if w.Ops < 1 || w.Wall < 1 || w.Wall > most || !(w.Traced > 0 && w.Traced <= 1) {
		return fmt.Errorf("%d operations in %d ns, of which %g were traced", w.Ops, w.Wall, w.Traced)
	}
	if w.OwnRunning < 0 || w.OwnRunning > most || w.Rest < -most || w.Rest > most {
		return fmt.Errorf("%d ns running, %d ns of rest", w.OwnRunning, w.Rest)
	}
	causes := w.Causes
	for _, s := range w.Sites {
		causes = append(causes[:len(causes):len(causes)], s.WaitCause)
	}
	if len(causes) > 1000 {
		return fmt.Errorf("%d causes and sites", len(causes))
	}
	for _, c := range causes {
		if c.Count < 0 || c.Time < 0 || c.Time > most || c.Own < 0 || c.Own > c.Time {
			return fmt.Errorf("%d waits for %q of %d ns, of which %d ns are the benchmark's own goroutine's", c.Count, c.Cause, c.Time, c.Own)
		}
	}
	return nil
}
