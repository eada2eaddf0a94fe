package usage

import (
	"sync"
	"time"
)

// Usage is what a task used. Figures in NotAvailable are 0 and have no meaning.
// Except for the threads, all figures are those of the whole process, with whatever
// else it did during the task.
type Usage struct {
	Name string // of the task; "" if it has none

	Real time.Duration // from the task's start to its end

	// CPU is user and system time together, over all threads, as the kernel's
	// scheduler counts it: in ns on Linux, µs on other Unix, steps of 15.6 ms on
	// Windows.
	CPU time.Duration

	// User and Sys divide CPU. The kernel estimates the ratio from samples at its
	// timer tick (1 to 10 ms), so that it is unreliable for a task of a few ticks.
	User, Sys time.Duration

	Bytes   uint64 // allocated on the heap, exact, including those freed since
	Objects uint64 // allocated on the heap, exact, including those freed since

	GCCycles   uint32        // collections that ended during the task, including forced ones
	GCPause    time.Duration // total time in which a collection had stopped all goroutines
	GCPauseMax time.Duration // the longest of them; of the last 256 collections if there were more
	GCCPU      time.Duration // the runtime's estimate for collections that ended during the task

	Procs int // GOMAXPROCS when the task began

	PerThread Stats // CPU time of the threads that ran
	// UserPerThread and SysPerThread are those of the threads whose CPU time could be divided: see [Thread]. Their Count may be
	// less than that of PerThread.
	UserPerThread Stats `json:",omitzero"`
	SysPerThread  Stats `json:",omitzero"`

	Threads      []Thread      // those threads, the busiest first
	Died         int           // threads that existed at the start and not at the end
	Unattributed time.Duration // CPU time of threads that have ended

	// Waited is how long threads of the process were ready to run and had no processor,
	// summed over those that existed at the end: the kernel's run delay. See [Usage.Starved].
	Waited time.Duration `json:",omitempty"`

	Overhead Overhead `json:"Tare"` // what measuring has added to these figures

	// NotAvailable maps figures that are not available, by the names of the Figure
	// constants, to the reason.
	NotAvailable map[string]string
}

// The names of figures in [Usage.NotAvailable].
const (
	FigureCPU     = "cpu"     // CPU
	FigureUser    = "user"    // User
	FigureSys     = "sys"     // Sys
	FigureGCCPU   = "gc cpu"  // GCCPU
	FigureWaited  = "waited"  // Waited
	FigureThreads = "threads" // PerThread, Threads, Died and Unattributed

	FigureThreadSplit = "thread user, sys" // User and Sys of Threads, UserPerThread, SysPerThread
)

// available reports whether a figure is available.
func (u *Usage) available(figure string) bool {
	_, missing := u.NotAvailable[figure]
	return !missing
}

// markUnavailable records why figures are not available.
func (u *Usage) markUnavailable(why string, figures ...string) {
	if u.NotAvailable == nil {
		u.NotAvailable = map[string]string{}
	}
	for _, f := range figures {
		u.NotAvailable[f] = why
	}
}

// Thread is the CPU time that one OS thread spent on the task.
type Thread struct {
	ID   int           // as the system numbers threads
	CPU  time.Duration // exact
	Born bool          // it did not exist when the task began

	// User and Sys divide CPU in the ratio of what the kernel counted for the thread, in steps of 10 ms: each is off by up to
	// a step, besides what the kernel's timer tick is off. Both are 0 where less than a step was counted, so that the
	// division is not known.
	User, Sys time.Duration `json:",omitempty"`
}

// Overhead is what an empty task was measured to use, immediately before the task. It
// is included in the figures and not subtracted.
type Overhead struct {
	Real    time.Duration
	CPU     time.Duration
	Threads time.Duration // CPU time of the threads
}

// measuring lets one measurement run at a time: two would each count the work of the
// other.
var measuring sync.Mutex

// Config says how to measure. The zero value measures a task without a name.
type Config struct {
	// Name is what the results are called. Default: none.
	Name string

	// Collect runs the garbage collector before the task, outside of the measurement,
	// so that tasks measured in turn start with the same heap. Default: no.
	Collect bool

	// Listener receives the result, too. Default: none.
	Listener Listener
}

// Measure runs the task once and returns what it used. It waits until no other
// measurement of the program runs; the task must not measure. A panic of the task
// is passed on; the Listener is not called then.
func Measure(task func()) Usage { return Config{}.Measure(task) }

// MeasureNamed is [Measure] with a name for the results.
func MeasureNamed(name string, task func()) Usage { return Config{Name: name}.Measure(task) }

// Measure is like the function [Measure].
func (c Config) Measure(task func()) Usage {
	if task == nil {
		panic("usage: Measure: task is nil")
	}
	u := c.measure(task)
	if c.Listener != nil { // which may measure
		c.Listener.Result(u)
	}
	return u
}
