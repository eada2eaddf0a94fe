package cluster

import (
	"encoding/json"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// Version is that of the messages. A controller refuses agents of another one.
const Version = 1

// Subjects of a group's messages. That of an agent ends in its ID.
const (
	subjectHello   = "hello"    // agent to controller: a request to join
	subjectBeat    = "beat."    // agent to controller, at every beat
	subjectData    = "data."    // agent to controller, delivered
	subjectAgent   = "agent."   // controller to one agent: orders, and a lease for each beat
	subjectControl = "control"  // controller to all agents: more of them are wanted
	subjectPresent = "presence" // controller to controller: a request whether there is one
)

// hello is what an agent says of itself.
type hello struct {
	Version int    `json:"v"`
	ID      string `json:"id"` // random, of the process
	Machine
	Busy string   `json:"busy,omitempty"` // the run that it belongs to
	Kept []string `json:"kept,omitempty"` // runs of which it has what it counted
}

// Machine describes an agent and its machine.
type Machine struct {
	Name  string `json:"name"`
	Host  string `json:"host"`
	PID   int    `json:"pid"`
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	Cores int    `json:"cores"`
	Tare  string `json:"tare"` // version
}

// welcome answers hello.
type welcome struct {
	Run     string `json:"run,omitempty"` // which the agent belongs to from now on
	Wait    bool   `json:"wait,omitempty"`
	Refused string `json:"refused,omitempty"` // why it cannot take part
}

// beat is what an agent says of itself many times a second.
type beat struct {
	ID      string `json:"id"`
	At      int64  `json:"at"` // its clock
	Run     string `json:"run,omitempty"`
	Phase   int    `json:"phase,omitempty"` // the last one ordered
	State   string `json:"state"`           // stateIdle …
	Decided uint64 `json:"decided,omitempty"`
	Waiting int    `json:"waiting,omitempty"` // messages that are not stored yet
}

// States of an agent.
const (
	stateIdle    = "idle"
	stateOpening = "opening" // workers, before a phase
	stateReady   = "ready"   // to start
	stateRunning = "running"
	stateDone    = "done" // the phase has ended, everything is delivered
)

// control is what a controller tells all agents while it wants more of them.
type control struct {
	Run string `json:"run"`
}

// lease answers a beat. The agent may send operations for [Timing].Lease from the time at which it sent the beat.
type lease struct {
	Run string `json:"run"`
	At  int64  `json:"at"` // of the beat
}

// An order is a request to one agent. It has one field besides the run.
type order struct {
	Run      string        `json:"run"`
	Ping     bool          `json:"ping,omitempty"`
	Open     *openOrder    `json:"open,omitempty"`
	Phase    *phaseOrder   `json:"phase,omitempty"` // opens the workers
	Start    *startOrder   `json:"start,omitempty"` // of the phase
	Reassign *reassignment `json:"reassign,omitempty"`
	Stop     *stopOrder    `json:"stop,omitempty"`    // of the phase
	Gather   bool          `json:"gather,omitempty"`  // deliver everything of the run again
	Forget   bool          `json:"forget,omitempty"`  // what was kept of the run
	Release  bool          `json:"release,omitempty"` // the run is over, its record whole
	Leave    bool          `json:"leave,omitempty"`   // the run is over; what was counted stays kept
}

// openOrder has the agent open what is loaded.
type openOrder struct {
	What  json.RawMessage `json:"what"`
	Limit Limits          `json:"limit"`
}

// Limits are the most that orders will ask of an agent. It compares them with its own.
type Limits struct {
	Rate     float64       `json:"rate,omitempty"` // operations per second, its share
	Duration time.Duration `json:"duration"`       // of the longest phase
}

// phaseOrder is one phase.
type phaseOrder struct {
	Phase  int         `json:"phase"` // from 1 in a run
	Role   Role        `json:"role"`
	Config wireConfig  `json:"config"`
	Owners []int       `json:"owners"` // of operations, by number mod the length
	Me     int         `json:"me"`
	Names  []string    `json:"names"`            // of the owners
	Spans  []span      `json:"spans,omitempty"`  // later owners
	Before [][2]uint64 `json:"before,omitempty"` // operations of earlier phases of the role: the first, and how many were due
}

// span is from which operation on which agents own operations.
type span struct {
	From   uint64 `json:"from"`
	Owners []int  `json:"owners"`
}

// wireConfig is a load.Config without what is no JSON.
type wireConfig struct {
	load.Config
	Share   *struct{} `json:"Share,omitempty"`
	Status  *struct{} `json:"Status,omitempty"`
	Observe *struct{} `json:"Observe,omitempty"`
	Ready   *struct{} `json:"Ready,omitempty"`
}

// startOrder says when operation 0 of a phase is due, by the agent's clock.
type startOrder struct {
	Phase int   `json:"phase"`
	At    int64 `json:"at"`
}

// reassignment gives operations to other agents.
type reassignment struct {
	Phase int `json:"phase"`
	span
}

// stopOrder ends a phase early.
type stopOrder struct {
	Phase int    `json:"phase"`
	Why   string `json:"why"`
}

// A Role says which target of a system a phase is of.
type Role string

// The roles.
const (
	RoleRun    Role = "run"
	RoleInsert Role = "insert" // inserts the records
	RoleIdle   Role = "idle"   // does nothing, for what the load generator itself takes
)

// answer answers an order.
type answer struct {
	Clock   int64    `json:"clock"` // the agent's CLOCK_MONOTONIC, ns
	Opened  *Opened  `json:"opened,omitempty"`
	Decided uint64   `json:"decided,omitempty"` // operations below it are decided
	Kept    int      `json:"kept,omitempty"`    // messages that are delivered again
	Err     *failure `json:"err,omitempty"`
}

// Opened describes a system that is open.
type Opened struct {
	Kinds        []string        `json:"kinds"` // of operations
	Capabilities kv.Capabilities `json:"capabilities"`
	Inserts      bool            `json:"inserts,omitempty"` // records are to be inserted before the run
}

// batch is what an agent counted in one interval, or at the end of a phase.
type batch struct {
	Run   string `json:"run"`
	ID    string `json:"id"`
	Phase int    `json:"phase"`
	Seq   int    `json:"seq"` // from 1 in a phase

	Interval int               `json:"interval,omitempty"` // it ends with this one, from 1
	Load     *record.Load      `json:"load,omitempty"`     // times by the agent's clock; nil: the phase could not begin
	Counts   []counts          `json:"counts,omitempty"`   // latencies of the interval
	Warnings []record.Warn     `json:"warnings,omitempty"`
	Clock    float64           `json:"cost,omitempty"` // of a clock reading, ns
	First    map[string]string `json:"first,omitempty"`
	Done     *done             `json:"done,omitempty"`  // set in the last one
	Spans    []span            `json:"spans,omitempty"` // later owners of operations that became known
	Began    *phaseOrder       `json:"began,omitempty"` // set in the first one, for who gathers what was kept
	Start    int64             `json:"start,omitempty"` // with Began: when operation 0 was due, by the agent's clock …
}

// counts are the latencies of one kind of operation, as hist.Histogram.AppendCounts writes them.
type counts struct {
	Kind string `json:"op"`
	Tag  string `json:"tag"`
	Data []byte `json:"data"`
}

// done is the end of a phase.
type done struct {
	Err       *failure         `json:"err,omitempty"`
	StartLate int64            `json:"start_late"` // ns after it was due that the first operation was sent
	Totals    map[string]int64 `json:"totals"`     // values by kind and tag, for a check of what arrived
	Times     agentTimes       `json:"times"`
}

// agentTimes are the agent's own percentiles.
type agentTimes struct {
	Response *record.AgentTimes `json:"response,omitempty"`
	Service  *record.AgentTimes `json:"service,omitempty"`
	Lateness *record.AgentTimes `json:"lateness,omitempty"`
}
