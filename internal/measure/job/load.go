package job

import (
	"slices"
	"time"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/load"
)

// Load says what is sent to a database or a service, and when. The zero value sends nothing; begin with [DefaultLoad].
// A rate is a text such as 5000, 5000/s or 5/10s.
type Load struct {
	// Workload is one of YCSB's, a to f, or a file of its properties. A key-value store needs one.
	Workload string
	// Scenario is a file of transactions of several HTTP requests. It cannot be used together with Workload, DB and
	// properties.
	Scenario string
	// DB is a binding's name, or a URL.
	DB string
	// Package is a Go package that has the target. It cannot be used together with Workload, Scenario and DB. "": none.
	Package string
	// Properties are settings NAME=VALUE, as YCSB has them; they win over those of PropertyFiles. Those that stand for a
	// field, as target does for Rate, count where the field was not given.
	Properties, PropertyFiles []string
	// AllowHosts are targets off this machine that may be loaded: HOST[:PORT], addresses, CIDR blocks.
	AllowHosts []string
	// Dir is the directory of an embedded database. "": a temporary one.
	Dir string
	// Records is the number of records in the database before the run, at least 1.
	Records int64
	// NoLoad does not insert the records, because the database has them.
	NoLoad bool

	// Serve is the command of a server, which is started and stopped. "": it runs already.
	Serve string
	// Health is a path that the server answers with 2xx when it is ready. "": it is ready when it accepts connections.
	Health string
	// ReadyTimeout is how long the server may take to be ready, and the target of Package to open.
	ReadyTimeout time.Duration

	// Rate is the rate at which operations are due, or A..B for a ramp. "": a closed loop. Of Rate, Steps, Replay, Search
	// and Rates one can be used.
	Rate string
	// Ramp is the time in which Rate goes from A to B. 0: the whole run.
	Ramp time.Duration
	// Steps are rates one after the other, RATE:DURATION,…
	Steps string
	// Replay is a file of due times.
	Replay string
	// Arrivals is constant or poisson; ramp, steps and replay only confirm what other fields say. "": constant.
	Arrivals string
	// Duration is how long the run, or each of its steps, lasts. 0: Operations end it.
	Duration time.Duration
	// Operations end the run. It cannot be used with Search, Rates and sides. 0: Duration ends it.
	Operations int64
	// Warmup is the time of a warm-up at the same rate, whose operations are excluded from the results.
	Warmup time.Duration

	// Search are objectives as Objectives are: the highest rate is searched that meets all of both. None: no search.
	Search []string
	// Start and Most are the first and the highest rate that a search tries.
	Start, Most string
	// Precision ends a search: the rate above is within this share, at least 0.01.
	Precision float64
	// Rates are measured one after the other, each with a warm-up: A,B,C or A..B/N. "": none.
	Rates string

	// Workers is the number of workers that send, or auto. "": auto, and 1 in a closed loop.
	Workers string
	// MaxOutstanding is the largest number of workers that auto makes.
	MaxOutstanding int
	// OnLate says what happens to operations that could not be sent in time: catch-up, limit=2x, skip=10ms or fail=1s.
	OnLate string
	// Pace is how workers wait, a [load.Pace].
	Pace string
	// OpTimeout is the time limit of an operation. 0: none.
	OpTimeout time.Duration
	// Drain is the time for unfinished operations at the end.
	Drain time.Duration
	// MaxErrors ends the run after this many errors. 0: no limit.
	MaxErrors int64
	// Interval is the length of the intervals whose histograms are recorded, at least 1 ms.
	Interval time.Duration
	// Slowest is the number of the slowest operations that are kept, at most 1000.
	Slowest int
	// WatchPIDs are processes of the server that are read in each interval.
	WatchPIDs []string
	// WatchVars is a URL of the server's memory statistics. "": they are not asked for.
	WatchVars string

	// Objectives are conditions that the result must meet, such as p99<10ms.
	Objectives []string
	// Latency is one of [result.LatencyChoices]: what is shown.
	Latency string

	// Sides are NAME=URL or NAME=COMMAND, two. They cannot be used together with Against and Serve.
	Sides []string
	// Against is the revision in which Serve starts the base of a comparison.
	Against string
	// Window is how long one side is measured before the other is. 0: by the rate.
	Window time.Duration
	// Starts is how often both servers are started. 0: by the duration.
	Starts int
	// Threshold is the relative change between sides that does not matter, 0.05 is 5 %.
	Threshold float64

	// Seed of all choices, hexadecimal. "": it is drawn.
	Seed string

	// Given are the options that somebody set. What was not set may follow from what was: see [Load.Complete].
	Given Given
}

// DefaultDB is the binding that is used if none is named. It needs nothing but a disk.
const DefaultDB = "bolt"

// DefaultLoad returns the defaults of tare load.
func DefaultLoad() Load {
	return Load{
		DB: DefaultDB, Records: 1000, ReadyTimeout: 10 * time.Second,
		Duration: 10 * time.Second, Warmup: 5 * time.Second,
		Start: "1000/s", Most: "1M/s", Precision: 0.05,
		MaxOutstanding: 1000, OnLate: string(load.LateCatchUp), Pace: string(load.PaceHybrid),
		OpTimeout: 10 * time.Second, Drain: 5 * time.Second, Interval: time.Second, Slowest: 10,
		Latency: result.LatencyBoth, Threshold: 0.05,
	}
}

// Stepped reports whether the job is a step at each of several rates: a search, or a list of rates.
func (l *Load) Stepped() bool { return len(l.Search) > 0 || l.Rates != "" }

// Compares reports whether there are sides.
func (l *Load) Compares() bool { return len(l.Sides) > 0 || l.Against != "" }

// Set returns which of some options were given, or have not the value that they usually have.
func (l *Load) Set(names ...string) (out []string) {
	usual := DefaultLoad()
	options := l.Options()
	for i, o := range usual.Options() {
		if slices.Contains(names, o.Name) && (l.Given[o.Name] || options[i].Value.String() != o.Value.String()) {
			out = append(out, o.Name)
		}
	}
	return out
}

// Complete sets what follows from options that were given, and was not set itself.
func (l *Load) Complete() {
	usual := DefaultLoad()
	set := func(name string, to *time.Duration, usual, now time.Duration) {
		if !l.Given[name] && *to == usual {
			*to = now
		}
	}
	switch {
	case l.Stepped():
		set("warmup-duration", &l.Warmup, usual.Warmup, 2*time.Second)
	case l.Compares():
		set("warmup-duration", &l.Warmup, usual.Warmup, time.Second)
		set("duration", &l.Duration, usual.Duration, time.Minute)
	case l.Given["operations"]:
		set("duration", &l.Duration, usual.Duration, 0)
	}
}
