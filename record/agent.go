package record

import "fmt"

// What became of an agent in a phase.
const (
	AgentDone    = "done"    // it sent to the end of the phase
	AgentLost    = "lost"    // the connection to it was lost before the end
	AgentStopped = "stopped" // the controller stopped it, or it stopped by itself, before the end
)

// Agent is one load generator in one phase of a run of several. Its line is written when the phase ends, and also at once
// when the generator is lost: of two lines about the same agent and phase the later one counts. In every line
//
//	Scheduled = Started + Dropped + Unsent + Lost
//	Started   = Completed + Unfinished
type Agent struct {
	Name   string `json:"name"`           // unique in the run
	Host   string `json:"host,omitempty"` // its machine
	OS     string `json:"os,omitempty"`
	Arch   string `json:"arch,omitempty"`
	Cores  int    `json:"cores"`
	Tare   string `json:"tare,omitempty"` // version of tare
	Weight int    `json:"weight"`         // its part of the operations is Weight of the sum of all weights

	Phase string `json:"phase"` // LoadRun …
	Step  int    `json:"step"`  // which phase of that name, from 1

	Offset      int64   `json:"offset"`          // its CLOCK_MONOTONIC less that of the controller, ns
	OffsetError int64   `json:"offset_error"`    // Offset is at most so far off, ns: half of the shortest round trip
	Drift       float64 `json:"drift,omitempty"` // change of Offset, ns per second
	StartLate   int64   `json:"start_late"`      // from the agreed start to its own, ns

	Intervals int `json:"intervals"`         // it delivered
	Missing   int `json:"missing,omitempty"` // it should have delivered, and did not
	Late      int `json:"late,omitempty"`    // of Intervals, those that came when the others had been written

	Shares []AgentShare `json:"shares,omitempty"` // operations that were its own, in the order in which they were given to it

	Scheduled  int64   `json:"scheduled"`      // these and those below are as in [Load]
	Started    int64   `json:"started"`        //
	Completed  int64   `json:"completed"`      //
	Dropped    int64   `json:"dropped"`        //
	Unsent     int64   `json:"unsent"`         //
	Unfinished int64   `json:"unfinished"`     //
	Lost       int64   `json:"lost,omitempty"` // were due for it when it was lost: neither sent nor known
	Failed     int64   `json:"failed"`         // of Completed, those with an error
	TargetRate float64 `json:"asked,omitempty"`
	Achieved   float64 `json:"did"` // operations per second that were completed

	CPU       int64   `json:"cpu"`        // CPU time of its process, ns
	CoresUsed float64 `json:"cores_used"` // cores that its process kept busy, the mean of the phase

	Response *AgentTimes `json:"response,omitempty"` // over all operations; nil: there were none
	Service  *AgentTimes `json:"service,omitempty"`  // over all operations; nil: there were none
	Lateness *AgentTimes `json:"lateness,omitempty"` // over operations for which a worker was free when they were due; nil: there were none

	State string `json:"state"`         // AgentDone …
	Why   string `json:"why,omitempty"` // it is not done, one line
	At    int64  `json:"at,omitempty"`  // when it was lost or stopped, CLOCK_MONOTONIC of the controller, ns
}

// AgentShare is a part of the numbers of operations. The number and the seed determine an operation, independently of the
// agent that sends it.
type AgentShare struct {
	From  uint64 `json:"from"`         // the first operation to which it applies
	To    uint64 `json:"to,omitempty"` // the first to which it does not apply any more; 0: it applies to the end
	Slots int    `json:"slots"`        // of every Of operations so many
	Of    int    `json:"of"`
}

// AgentTimes are figures of one kind of latency, in ns.
type AgentTimes struct {
	Count int64 `json:"n"`
	P50   int64 `json:"p50"`
	P99   int64 `json:"p99"`
	P999  int64 `json:"p99.9"`
	Max   int64 `json:"max"`
}

func (*Agent) kind() string { return "agent" }

// maxShares is how many shares an agent may have: one for each time that the operations of lost agents were shared out.
const maxShares = 100_000

// maxCores is more than any machine has.
const maxCores = 1e6

// possible returns an error for values that no run has.
func (a *Agent) possible() error {
	if len(a.Shares) > maxShares {
		return fmt.Errorf("key %q has %d parts, %d at most", "shares", len(a.Shares), maxShares)
	}
	for _, s := range a.Shares {
		if s.Slots < 0 || s.Of < s.Slots || s.To != 0 && s.To < s.From {
			return fmt.Errorf("key %q: %d of %d operations from %d to %d", "shares", s.Slots, s.Of, s.From, s.To)
		}
	}
	if a.CoresUsed < 0 || a.CoresUsed > maxCores {
		return fmt.Errorf("key %q cannot be %g", "cores_used", a.CoresUsed)
	}
	figures := []named{
		{"cores", int64(a.Cores)}, {"weight", int64(a.Weight)}, {"step", int64(a.Step)}, {"offset_error", a.OffsetError}, {"start_late", max(a.StartLate, -a.StartLate)},
		{"intervals", int64(a.Intervals)}, {"missing", int64(a.Missing)}, {"late", int64(a.Late)},
		{"scheduled", a.Scheduled}, {"started", a.Started}, {"completed", a.Completed}, {"dropped", a.Dropped}, {"unsent", a.Unsent},
		{"unfinished", a.Unfinished}, {"lost", a.Lost}, {"failed", a.Failed}, {"cpu", a.CPU}, {"at", a.At},
	}
	for _, t := range []*AgentTimes{a.Response, a.Service, a.Lateness} {
		if t != nil {
			figures = append(figures, named{"n", t.Count}, named{"max", t.Max})
		}
	}
	return possible(figures...)
}
