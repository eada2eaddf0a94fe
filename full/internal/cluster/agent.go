package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/load"
)

// An Opener opens what an order names.
type Opener func(ctx context.Context, what []byte) (System, error)

// A System is what an agent loads.
type System interface {
	Opened() Opened
	// Target returns the target of a phase whose operations begin at a number. before are the operations of the phases of
	// that role before it, as numbers of the first and how many were due.
	Target(role Role, first uint64, before [][2]uint64) (load.Target, error)
	Close() error
}

// AgentConfig is how an agent takes part.
type AgentConfig struct {
	Machine
	ID     string // unique; "" makes one
	Open   Opener
	Most   Limits // that orders may ask for; 0 is no limit
	Store  Store  // nil: in memory
	Timing Timing
	Once   bool               // return when the first run is over
	Note   func(string)       // is called with messages to people; nil: no messages
	Clock  func() (now int64) // CLOCK_MONOTONIC, ns, as another machine has it: at a constant distance; nil: that of this machine

	Observe func(load.Operation) // is called with each answered operation; may be nil

	engine func(context.Context, load.Target, load.Config, load.Sink) (*load.Interval, error) // load.Run
}

// An agent takes orders.
type agent struct {
	AgentConfig
	conn   Conn
	sender *sender
	ahead  int64 // of Clock, before the clock of this machine
	ctx    context.Context
	over   context.CancelCauseFunc

	opening sync.Mutex   // held while the system is opened
	leased  atomic.Int64 // when the beat was sent that the controller answered last, by Clock

	mu     sync.Mutex
	run    string // that it belongs to; "" before
	wanted bool   // a controller said so since the agent asked to join
	system System
	phase  *agentPhase
	parts  assembler
	noted  map[string]bool // notes that were made
}

// NewID returns a random name for messages.
func NewID() string { return fmt.Sprintf("%016x", rand.Uint64()) }

// errReleased ends an agent of one run.
var errReleased = errors.New("the run is over")

// ErrGone is the error of an agent whose controller sends no heartbeats any more.
var ErrGone = errors.New("the controller is gone; what was counted is kept")

// RunAgent takes part in runs until the context ends. With Once it returns nil after the first run, and ErrGone if the
// heartbeats of the controller time out.
func RunAgent(ctx context.Context, conn Conn, c AgentConfig) error {
	a := &agent{AgentConfig: c, conn: conn, noted: map[string]bool{}}
	if a.ID == "" {
		a.ID = NewID()
	}
	if a.Store == nil {
		a.Store = NewMemoryStore()
	}
	if a.Note == nil {
		a.Note = func(string) {}
	}
	if a.Clock == nil {
		a.Clock = clock.Now
	} else {
		a.ahead = a.Clock() - clock.Now()
	}
	if a.engine == nil {
		a.engine = load.Run
	}
	a.ctx, a.over = context.WithCancelCause(ctx)
	defer a.over(nil)
	a.sender = newSender(conn, a.ID, a.Note)
	for subject, f := range map[string]func(Message){subjectAgent + a.ID: a.take, subjectControl: a.hear} {
		cancel, err := conn.Subscribe(subject, f)
		if err != nil {
			return err
		}
		defer cancel()
	}
	go a.sender.run(a.ctx)
	defer a.leave("the agent was stopped")
	a.beats()
	if err := context.Cause(a.ctx); !errors.Is(err, errReleased) {
		return err
	}
	return nil
}

// beats says that the agent is there, asks to join, and watches whether the controller is, until the agent ends.
func (a *agent) beats() {
	tick := time.NewTicker(a.Timing.Beat)
	defer tick.Stop()
	var asked time.Time
	for {
		a.mu.Lock()
		b, wanted := a.beat(), a.wanted
		a.mu.Unlock()
		if b.Run == "" && (wanted || time.Since(asked) >= 4*a.Timing.Beat) {
			asked = time.Now()
			a.join()
		} else {
			a.publish(b)
		}
		a.watch()
		select {
		case <-tick.C:
		case <-a.ctx.Done():
			return
		}
	}
}

func (a *agent) publish(b beat) {
	if data, err := json.Marshal(b); err == nil {
		a.conn.Publish(subjectBeat+a.ID, data) // the next one says the same
	}
}

// beat returns what is said now.
func (a *agent) beat() beat {
	b := beat{ID: a.ID, At: a.Clock(), Run: a.run, State: stateIdle, Waiting: a.sender.waiting()}
	if p := a.phase; p != nil {
		b.Phase, b.State, b.Decided = p.number, p.state(), p.share.Decided()
		if b.State == stateDone && b.Waiting > 0 {
			b.State = stateRunning
		}
	}
	return b
}

// join asks the controller, if there is one, to take part.
func (a *agent) join() {
	data, err := json.Marshal(hello{Version: Version, ID: a.ID, Machine: a.Machine, Kept: a.Store.Runs()})
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(a.ctx, a.Timing.Order)
	defer cancel()
	a.mu.Lock()
	a.wanted = false
	a.mu.Unlock()
	sent := a.Clock()
	text, err := a.conn.Request(ctx, subjectHello, data)
	if err != nil {
		return // there is no controller yet
	}
	var w welcome
	if json.Unmarshal(text, &w) != nil {
		return
	}
	switch {
	case w.Refused != "":
		a.Note("refused: " + w.Refused)
		a.over(fmt.Errorf("the controller refused this agent: %s", w.Refused))
	case w.Run != "":
		a.mu.Lock()
		a.run = w.Run
		a.leased.Store(sent)
		b := a.beat()
		a.mu.Unlock()
		a.publish(b) // the controller waits for it
		a.Note("joined run " + w.Run)
	}
}

// hear notes that a controller wants more agents.
func (a *agent) hear(Message) {
	a.mu.Lock()
	a.wanted = true
	a.mu.Unlock()
}

// renew takes a lease. It counts from when the agent sent the beat that it answers, so that the controller knows the latest
// time at which the agent can send operations, however late the lease arrives.
func (a *agent) renew(text []byte) {
	var l lease
	if json.Unmarshal(text, &l) != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if l.Run == a.run && l.At <= a.Clock() {
		a.leased.Store(max(a.leased.Load(), l.At))
	}
}

// withoutLease returns for how long the agent has had no lease.
func (a *agent) withoutLease() time.Duration { return time.Duration(a.Clock() - a.leased.Load()) }

// watch ends the phase if the agent's lease has ended, and leaves the run if there is still no lease much later.
func (a *agent) watch() {
	a.mu.Lock()
	run, silent, p := a.run, a.withoutLease(), a.phase
	a.mu.Unlock()
	if run == "" || silent < a.Timing.Lease {
		return
	}
	if p != nil {
		p.stop(errAlone)
	}
	if silent > 4*a.Timing.Lease {
		a.leave("the controller is gone")
		if a.Once {
			a.over(ErrGone)
		}
	}
}

// leave ends what belongs to the run. What was counted stays kept.
func (a *agent) leave(why string) {
	a.mu.Lock()
	p, s, run := a.phase, a.system, a.run
	a.phase, a.system, a.run = nil, nil, ""
	a.mu.Unlock()
	if p != nil {
		p.stop(errStopped)
		<-p.ended
	}
	if s != nil {
		s.Close()
	}
	a.sender.clear()
	if run != "" {
		a.Note("left run " + run + ": " + why)
	}
}

// pause waits, and reports false if the context ended first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// retryDeliver is the time between two tries to deliver a message.
const retryDeliver = 200 * time.Millisecond
