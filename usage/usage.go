package usage

import (
	"sync"
	"time"
)

// Usage is what a task used. What stands in NotAvailable is 0 here and means
// nothing. Except for the threads, all figures are those of the whole process:
// whatever else it does meanwhile is in them.
type Usage struct {
	Name string // of the task; "" if it has none

	Real time.Duration // from the task's start to its end

	// CPU is user and system time together, over all threads, as the kernel's
	// scheduler counts it: in ns on Linux, µs on other Unix, steps of 15.6 ms on
	// Windows.
	CPU time.Duration

	// User and Sys divide CPU. The kernel knows the ratio from samples at its timer
	// tick (1 to 10 ms), so of a task of few ticks they say little.
	User, Sys time.Duration

	Bytes   uint64 // allocated on the heap, exact, those freed since included
	Objects uint64 // likewise, exact

	GCCycles   uint32        // collections that ended meanwhile, forced ones included
	GCPause    time.Duration // in which a collection had stopped all goroutines, sum
	GCPauseMax time.Duration // the longest of them; of the last 256 collections if there were more
	GCCPU      time.Duration // estimate of the runtime, of the collections that ended meanwhile

	Procs int // GOMAXPROCS when the task began

	PerThread    Stats         // CPU time of the threads that ran
	Threads      []Thread      // those threads, the busiest first
	Died         int           // threads that were there at the start and not at the end
	Unattributed time.Duration // CPU time that no living thread accounts for: of threads that ended

	Tare Tare // what measuring has added to these figures

	// NotAvailable names the figures that could not be had here, by the names of
	// the Figure constants, and why.
	NotAvailable map[string]string
}

// The names of figures in [Usage.NotAvailable].
const (
	FigureCPU     = "cpu"     // CPU
	FigureUser    = "user"    // User
	FigureSys     = "sys"     // Sys
	FigureGCCPU   = "gc cpu"  // GCCPU
	FigureThreads = "threads" // PerThread, Threads, Died and Unattributed
)

// has tells whether a figure could be had.
func (u *Usage) has(figure string) bool {
	_, missing := u.NotAvailable[figure]
	return !missing
}

// lack notes that a figure could not be had.
func (u *Usage) lack(why string, figures ...string) {
	if u.NotAvailable == nil {
		u.NotAvailable = map[string]string{}
	}
	for _, f := range figures {
		u.NotAvailable[f] = why
	}
}

// Thread is what one OS thread did for the task.
type Thread struct {
	ID   int           // as the system numbers threads
	CPU  time.Duration // exact
	Born bool          // it did not exist when the task began
}

// Tare is what a task that does nothing was measured to use, just before the
// task. It is in the figures, and is not subtracted from them.
type Tare struct {
	Real    time.Duration
	CPU     time.Duration
	Threads time.Duration // CPU time of the threads
}

// measuring lets one measurement run at a time: two would each count the work of
// the other.
var measuring sync.Mutex

// Config says how to measure. The zero value measures a task without a name.
type Config struct {
	// Name is what the results are called. Default: none.
	Name string

	// Collect runs the garbage collector before the task, outside of the measured
	// part, so that tasks that are measured in turn find the same heap. Default: no.
	Collect bool

	// Listener receives the result, too. Default: nobody.
	Listener Listener
}

// Measure runs the task once and returns what it used. It waits until no other
// measurement of the program runs; the task must not measure. A panic of the task
// passes through, after which others can measure; no Listener hears of it then.
func Measure(task func()) Usage { return Config{}.Measure(task) }

// MeasureNamed is [Measure] with a name for the results.
func MeasureNamed(name string, task func()) Usage { return Config{Name: name}.Measure(task) }

// Measure is like the function [Measure].
func (c Config) Measure(task func()) Usage {
	u := c.measure(task)
	if c.Listener != nil { // which may measure
		c.Listener.Result(u)
	}
	return u
}
