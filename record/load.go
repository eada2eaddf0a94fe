package record

import "time"

// The phases of a load run.
const (
	LoadInsert = "load"   // records are inserted, unpaced
	LoadWarmup = "warmup" // paced like the run, excluded from the results
	LoadRun    = "run"
)

// Load holds the counts of a load run in one interval, or with Final in a whole phase.
// In every line
//
//	Scheduled = Started + Dropped + Unsent + Lost
//	Started   = Completed + Unfinished
//
// where Unsent and Unfinished are those of the line's end: in an interval,
// Scheduled and Started count from the beginning of the phase. In a run of several load generators,
// the counts are the sums of all, see [Agent].
type Load struct {
	Phase      string  `json:"phase"`           // LoadInsert …
	Iter       int     `json:"iter,omitempty"`  // interval, from 1; 0 with Final
	Final      bool    `json:"final,omitempty"` // the whole phase
	Start      int64   `json:"start"`           // of the interval or phase, CLOCK_MONOTONIC ns
	Length     int64   `json:"length"`          // ns; with Final the time of sending without the drain, as in TargetRate and Achieved
	TargetRate float64 `json:"asked,omitempty"` // operations per second that were due, by the schedule; 0 in a closed loop
	Achieved   float64 `json:"did"`             // operations per second that were completed

	// Counts, Lost, BacklogMax, Silence, Errors, Failures, Statuses, bytes and CPU are since the beginning of the phase.
	Scheduled  int64 `json:"scheduled"`      // were due
	Started    int64 `json:"started"`        // were sent
	Completed  int64 `json:"completed"`      // were answered, including errors
	Dropped    int64 `json:"dropped"`        // were dropped unsent, because they were too late
	Unsent     int64 `json:"unsent"`         // are due and neither sent nor dropped: the backlog
	Unfinished int64 `json:"unfinished"`     // are sent and not answered
	Lost       int64 `json:"lost,omitempty"` // were due for load generators that were lost: they were not sent, or it is not known what became of them

	UnsentOldest     int64            `json:"unsent_oldest,omitempty"`     // age of the oldest of Unsent, ns
	UnfinishedOldest int64            `json:"unfinished_oldest,omitempty"` // age of the oldest unfinished operation since it was due, ns
	BacklogMax       int64            `json:"backlog_max"`                 // maximum of Unsent
	Silence          int64            `json:"silence,omitempty"`           // longest time while operations were sent in which nearly none was answered without an error, ns, a lower bound
	SilenceDue       int64            `json:"silence_due,omitempty"`       // operations that were due in it
	Errors           map[string]int64 `json:"errors,omitempty"`            // by class, "timeout"; includes not_found, which is no failure
	Failures         []Failure        `json:"failures,omitempty"`          // Errors by operation, class and status, without not_found
	Statuses         map[string]int64 `json:"statuses,omitempty"`          // answers by status, "200" or "OK", where the system has one
	Sent             int64            `json:"bytes_sent,omitempty"`        // bytes on connections, where the target counts them
	Received         int64            `json:"bytes_received,omitempty"`    // bytes from connections, where the target counts them
	Rows             int64            `json:"rows,omitempty"`              // rows that statements returned, where the target counts them
	Agents           int              `json:"agents,omitempty"`            // load generators that delivered this interval; 0 in a run of one
	Workers          int              `json:"workers"`                     // at the end, those that were added for operations that pause included
	CPU              int64            `json:"cpu"`                         // CPU time of tare's process, ns

	Slowest []SlowOperation `json:"slowest,omitempty"` // with Final: those that took longest, the longest first; at most as many as were asked for

	Window *LoadWindow `json:"window,omitempty"` // nil: the phase is no window of a side
}

// LoadWindow identifies a window of a run of two sides. Each window is a phase of its own.
type LoadWindow struct {
	Side  string `json:"side"`
	Pair  int    `json:"pair"`            // from 1; both windows of a pair are measured one after the other
	Start int    `json:"start,omitempty"` // which start of both servers, from 1; 0 if tare starts none
}

// A Failure is how often an operation failed in one way.
type Failure struct {
	Name   string `json:"op"`               // the operation, "READ"
	Class  string `json:"class"`            // "timeout"
	Status string `json:"status,omitempty"` // that the system answered, "503"
	Count  int64  `json:"n"`
	First  string `json:"first,omitempty"` // the first error, secrets redacted; with Final only
}

// A SlowOperation is one of those that took longest in a phase. Times are ns from the start of the phase.
type SlowOperation struct {
	Name       string `json:"op"`                   // the operation, "READ"
	K          uint64 `json:"n"`                    // its number, from which with the seed all that it is follows
	Due        int64  `json:"due"`                  // when it was due; in a closed loop when it was sent
	Start      int64  `json:"start"`                // when it was sent
	End        int64  `json:"end"`                  // when it was answered
	Paused     int64  `json:"paused,omitempty"`     // ns in which its user paused, which are part of no latency
	Unanswered bool   `json:"unanswered,omitempty"` // it was given up at End
	Key        string `json:"key,omitempty"`        // the key or the path that it was about, secrets redacted
	Part       string `json:"part,omitempty"`       // the part of it that took longest, "GET/first-byte"
	PartTime   int64  `json:"part_ns,omitempty"`    // how long that took
	Class      string `json:"class,omitempty"`      // of its error, "timeout"; absent: it succeeded
	Status     string `json:"status,omitempty"`     // that the system answered with the error, "503"
}

// Response returns the time from when the operation was due until it was answered, in ns, without its pauses; in a closed loop
// that is Service.
func (o *SlowOperation) Response() int64 { return o.End - o.Due - o.Paused }

// Service returns the time from when the operation was sent until it was answered, in ns, without its pauses.
func (o *SlowOperation) Service() int64 { return o.End - o.Start - o.Paused }

// LoadConfig is the plan of a load run. Durations are in nanoseconds.
type LoadConfig struct {
	DB           string            `json:"db"`                     // the binding
	Name         string            `json:"name,omitempty"`         // reported by the system
	Notes        []string          `json:"notes,omitempty"`        // remarks on the figures
	Workload     string            `json:"workload,omitempty"`     // "a", or a file
	Scenario     string            `json:"scenario,omitempty"`     // its file
	Transactions []string          `json:"transactions,omitempty"` // of the scenario
	Props        map[string]string `json:"props,omitempty"`        // given properties, secrets redacted
	Arrivals     string            `json:"arrivals"`               // the schedule in words: "constant 5000/s", "closed loop"
	Rate         float64           `json:"rate,omitempty"`         // operations per second, where it is constant
	Workers      int               `json:"workers"`                // at the start
	AutoWorkers  int               `json:"auto,omitempty"`         // limit with --workers auto
	Records      int64             `json:"records,omitempty"`      // in the store before the run
	Warmup       time.Duration     `json:"warmup,omitempty"`
	Duration     time.Duration     `json:"duration,omitempty"`
	Operations   int64             `json:"operations,omitempty"`
	OnLate       string            `json:"on_late,omitempty"` // "catch-up", "limit=2x", "skip=10ms"
	Pace         string            `json:"pace,omitempty"`    // "hybrid", "sleep", "spin"
	Clock        string            `json:"clock"`             // "tsc", or "monotonic" and why
	OpTimeout    time.Duration     `json:"op_timeout,omitempty"`
	Drain        time.Duration     `json:"drain,omitempty"`
	Interval     time.Duration     `json:"interval"`
	Kinds        []string          `json:"kinds"`             // of operations
	Window       time.Duration     `json:"window,omitempty"`  // of sides that are compared
	Starts       int               `json:"starts,omitempty"`  // of both servers, if tare starts them
	Allowed      []string          `json:"allowed,omitempty"` // targets off this machine that the user allowed
	Agents       string            `json:"agents,omitempty"`  // other load generators, as they were asked for: "local:4"; "": there are none
	OnLoss       string            `json:"on_loss,omitempty"` // what happens when one of them is lost: "continue"
	Serve        string            `json:"serve,omitempty"`   // command of the server that tare started, secrets redacted
	Dir          string            `json:"dir,omitempty"`     // of an embedded database, if it was given
	NoLoad       bool              `json:"no_load,omitempty"` // the records were there already
	MaxErrors    int64             `json:"max_errors,omitempty"`
}
