package load

import (
	"context"
	"time"

	"github.com/tarebench/tare/record"
)

// Config is the configuration of a phase of load. The zero value is a closed loop of
// one worker without end; Validate requires an end.
type Config struct {
	// Schedule says when operations are due. With the zero value there is no
	// schedule: each worker sends when its last operation was answered (a closed
	// loop), and only service times exist.
	Schedule Schedule

	Workers        int  // goroutines that send; default 1
	AutoWorkers    bool // add a worker, one at a time, while an operation has been due for 0.5 ms and none is idle
	MaxOutstanding int  // limit of workers with AutoWorkers; default 1000

	Duration   time.Duration // operations due before it are scheduled; 0 means no bound
	Operations uint64        // the number of operations; 0 means no bound. Without a Duration none is left unsent.
	First      uint64        // index of the first operation, for phases that follow one another

	// Share are the operations that this load generator sends, one of several; nil means all. The
	// schedule, Operations and Duration are those of all load generators together, and the counts
	// of the phase are those of the share.
	Share *Share

	// Ready is called when the workers are open, and returns the CLOCK_MONOTONIC time in ns at which the phase begins: due
	// times and intervals count from it, also if it has passed: operations due since then are late. 0 is now, as for a nil Ready.
	// An error ends the phase before it begins.
	Ready func(context.Context) (int64, error)

	OnLate OnLate        // what happens to operations that could not be sent in time; default catch up
	Limit  float64       // with LateLimit: the backlog is sent at most at this multiple of the rate; default 2
	Skip   time.Duration // with LateSkip: operations later than this are dropped; with LateFail: the lateness that fails the run

	Pace  Pace          // how workers wait; default PaceHybrid
	Drain time.Duration // time for unfinished operations at the end before they are cancelled; default 5s

	Interval  time.Duration // interval of status and histograms; default 1s
	MaxErrors int64         // the run ends after this number of failed operations; 0 means no bound
	Seed      uint64        // of Poisson arrivals; the same seed gives the same due times

	Slowest int // how many of the operations that took longest are listed in the record.Load of the phase; 0 means none, at most 1000

	Phase string // record.LoadRun by default, record.LoadWarmup, record.LoadInsert

	// Observe is called after each operation that was answered, and for each one inside another, by all workers at the
	// same time. What it takes delays the worker's next operation. It may be nil.
	Observe func(Operation)

	// Status is called at the end of each interval and of the phase, by one
	// goroutine, never during a measured operation. It may be nil.
	Status func(*Interval)
}

// An Operation is what [Config.Observe] is called with. Times are those of CLOCK_MONOTONIC in ns, End without the pauses of
// [Timer.Pause].
type Operation struct {
	Kind            int // of Target.Kinds
	Due, Start, End int64
	Failed          bool // with an error that is not [ErrNotFound]
}

// A Schedule says when operations are due. At most one of Rate, Steps and Times is
// set.
type Schedule struct {
	Rate    float64         // operations per second
	To      float64         // with Over: the rate changes linearly to this
	Over    time.Duration   //
	Steps   []Step          // consecutive rates
	Times   []time.Duration // due times from the start, ascending: a replay
	Poisson bool            // arrivals independent of each other, at the same mean rate
}

// Step is a rate in operations per second for a time. With Ramp the rate changes linearly from
// Rate to To, one of which may be 0.
type Step struct {
	Rate float64
	For  time.Duration
	To   float64
	Ramp bool
}

// OnLate says what happens to operations that are due while no worker is free.
type OnLate string

const (
	LateCatchUp OnLate = "catch-up" // it is sent as soon as a worker is free, however late
	LateLimit   OnLate = "limit"    // it is sent as soon as a worker is free, but no faster than Config.Limit times the rate
	LateSkip    OnLate = "skip"     // it is dropped, and counted, if later than Config.Skip
	LateFail    OnLate = "fail"     // the run ends if one is later than Config.Skip
)

// Pace is how workers wait until an operation is due.
type Pace string

const (
	PaceHybrid Pace = "hybrid" // sleep until shortly before, then spin
	PaceSleep  Pace = "sleep"  // cheap, some 20 µs late
	PaceSpin   Pace = "spin"   // a core for each worker
)

// A Sink receives the lines of a run: record.Load and record.Hist for each interval,
// warnings and overhead lines. It is called by one goroutine. An error ends the run;
// Run still returns the Interval of what was measured.
type Sink func(record.Line) error
