package loadrun

import (
	"runtime"
	"strconv"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/load"
)

// Options are what tare load takes from its flags, as they were typed. A flag's zero
// value is not always its default: see the help.
type Options struct {
	Workload      string   // a to f, or a file of properties
	PropertyFiles []string // -P
	Properties    []string // -p, NAME=VALUE
	Scenario      string   // a file, instead of a database and a workload
	DB            string   // a binding's name or a URL
	Target        string   // a Go package, instead of a database and a workload
	Dir           string   // of an embedded database; "" for a temporary one
	Records       int64
	NoLoad        bool // the records are in the database

	Rate     string // N/s, or A..B for a ramp
	Ramp     time.Duration
	Steps    string // RATE:DURATION,…
	Replay   string // a file of due times
	Arrivals string

	Warmup     time.Duration
	Duration   time.Duration
	Operations int64

	Workers        string // a number, or auto
	MaxOutstanding int    // the most workers that auto starts
	OnLate         string
	Pace           string
	OpTimeout      time.Duration
	Drain          time.Duration
	MaxErrors      int64
	Interval       time.Duration // of histograms and status lines
	Slowest        int           // operations that are listed
	WatchPIDs      []string      // processes of the server, which are read in each interval
	WatchVars      string        // a URL of the server's memory statistics

	Agents       Agents   // nil: this process generates the load
	Sides        []string // NAME=URL or NAME=COMMAND, two
	Against      string   // a revision in which Serve starts the base
	Serve        string   // command of a server, which is started and stopped
	Health       string   // path that the server answers when it is ready
	ReadyTimeout time.Duration
	Window       time.Duration // in which one side is measured; 0: by the rate
	Starts       int           // of both servers; 0: by the duration
	Threshold    float64       // change that does not matter, of comparisons; 0: DefaultLoadThreshold

	AllowHosts []string // targets off this machine that may be loaded

	Objectives  []string
	ErrorsBelow string // an objective for when none is about errors; "" for none
	Latency     string // one of result.LatencyChoices
	YCSBText    bool   // stdout is in the format of YCSB's text
	Strict      bool
	Seed        string
	Hidden      []string // secrets of other flags, which no output may contain

	Stepped bool // a search or a sweep, whose steps have a duration and no number of operations
}

// configure fills in the configuration of the engine.
func (p *Plan) configure(o *Options, set func(string) bool, bad *exit.Problems) {
	c := &p.Run
	c.Duration, c.Operations = o.Duration, uint64(max(o.Operations, 0))
	var err error
	if !p.fileSchedule(o, set, bad) {
		p.replaced = true
		if c.Schedule, err = o.schedule(o.Duration); err != nil {
			bad.AddError(err)
			return
		}
	}
	if d := lengthOf(c.Schedule); d > 0 && !set("duration") && c.Operations == 0 {
		c.Duration = d
	}
	if c.Duration == 0 && c.Operations == 0 {
		bad.Add("--duration 0s without --operations: the run has no end")
	}
	closed := c.Schedule.String() == load.Schedule{}.String()
	p.configureWorkers(o, closed, bad)
	bad.AddError(parseOnLate(o.OnLate, c))
	if closed && c.OnLate != load.LateCatchUp {
		bad.Add("--on-late %s: nothing is late in a closed loop; give a --rate", o.OnLate)
	}
	switch c.Pace = load.Pace(o.Pace); c.Pace {
	case load.PaceHybrid, load.PaceSleep, load.PaceSpin:
	default:
		bad.Add("--pace %q is none of hybrid, sleep, spin", o.Pace)
	}
	c.Drain, c.Interval, c.MaxErrors, p.Warmup, c.Slowest = o.Drain, o.Interval, o.MaxErrors, o.Warmup, o.Slowest
	if c.Slowest < 0 || c.Slowest > 1000 {
		bad.Add("--slowest %d is none of 0 to 1000", c.Slowest)
	}
}

func (p *Plan) configureWorkers(o *Options, closed bool, bad *exit.Problems) {
	c := &p.Run
	c.Workers = 1
	switch {
	case o.Workers == "" && closed:
	case o.Workers == "" || o.Workers == "auto":
		if closed {
			bad.Add("--workers auto needs a --rate: in a closed loop no operation is ever due")
		}
		c.AutoWorkers, c.MaxOutstanding = true, o.MaxOutstanding
	default:
		n, err := strconv.Atoi(o.Workers)
		if err != nil || n < 1 || n > 1e6 {
			bad.Add("--workers %q is neither auto nor a number from 1 to 1000000", o.Workers)
			return
		}
		c.Workers = n
	}
}

// MaxWorkers returns how many workers there may be.
func (p *Plan) MaxWorkers() int {
	if p.Run.AutoWorkers {
		return max(p.Run.MaxOutstanding, p.Run.Workers)
	}
	return p.Run.Workers
}

// loaders returns how many workers insert the records.
func (p *Plan) loaders() int {
	if p.Run.AutoWorkers {
		return min(max(4, 2*runtime.GOMAXPROCS(0)), p.MaxWorkers())
	}
	return p.Run.Workers
}
