package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/base/exit"
)

// OnLoss is what happens when an agent is lost.
type OnLoss string

// What happens when an agent is lost. Operations that were due for it meanwhile are lost in any case.
const (
	LossStop         OnLoss = "stop"         // the run ends
	LossContinue     OnLoss = "continue"     // the others go on with their own operations
	LossRedistribute OnLoss = "redistribute" // the others take over its operations as soon as it can send none any more
)

// Config is how a controller runs.
type Config struct {
	Name      string // of the run, which no other run has
	Gathered  string // the run that [Controller.Gather] is for: other agents than those that kept results of it wait; "" for none
	Tare      string // version that agents must have; "" for any
	OnLoss    OnLoss
	AllowSkew bool // start although clocks are not known well enough for the intervals
	Timing    Timing
	Note      func(string) // is called with messages to people; nil: no messages
	Clock     func() int64 // CLOCK_MONOTONIC, ns; nil: that of this machine
}

// A Controller has agents run phases.
type Controller struct {
	Config
	conn   Conn
	ctx    context.Context
	cancel context.CancelFunc
	fail   chan error // of receiving

	measuring chan struct{} // has an element for each clock that is measured

	mu      sync.Mutex
	wanted  *wanted
	agents  []*remote // in the order of their places
	byID    map[string]*remote
	noted   map[string]bool // notes that were made
	phase   *phaseRun       // that runs
	phases  int             // that were run
	parts   map[string]*assembler
	gathers *gathering    // nil unless kept results are gathered
	changed chan struct{} // has room for one
	garbage int           // messages that were not understood
	opened  *Opened
	before  map[Role][][2]uint64 // operations of the phases so far
	steps   map[string]int       // phases by name
	watched time.Time            // when agents were watched last
	deaf    time.Time            // when this process could not hear agents: it had not run for long, or was not connected
	cutAt   time.Time            // since when it is not connected; zero: it is
}

// errTwo is the error of a second controller.
func errTwo(run string) error {
	return exit.Usage(fmt.Errorf("another controller uses the same agents: run %s", run), "wait until it has ended, or give each its own --agents-group")
}

// NewController connects a controller. It fails if there is another one.
func NewController(ctx context.Context, conn Conn, c Config) (*Controller, error) {
	if c.Note == nil {
		c.Note = func(string) {}
	}
	if c.Clock == nil {
		c.Clock = clock.Now
	}
	k := &Controller{
		Config: c, conn: conn, fail: make(chan error, 1), measuring: make(chan struct{}, maxMeasured), changed: make(chan struct{}, 1),
		byID: map[string]*remote{}, noted: map[string]bool{}, parts: map[string]*assembler{}, steps: map[string]int{}, before: map[Role][][2]uint64{},
	}
	if err := k.alone(ctx); err != nil {
		return nil, err
	}
	k.ctx, k.cancel = context.WithCancel(context.WithoutCancel(ctx))
	conn.OnChange(k.connected)
	for subject, f := range map[string]func(Message){subjectPresent: k.present, subjectHello: k.hello, subjectBeat + ">": k.beat} {
		if _, err := conn.Subscribe(subject, f); err != nil {
			k.cancel()
			return nil, err
		}
	}
	go k.beats()
	go func() {
		if err := conn.Receive(k.ctx, subjectData, k.data); err != nil && k.ctx.Err() == nil {
			k.fail <- err
		}
	}()
	return k, nil
}

// alone checks that no other controller has the group.
func (k *Controller) alone(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*k.Timing.Beat)
	defer cancel()
	text, err := k.conn.Request(ctx, subjectPresent, nil)
	if err != nil {
		return nil // no other controller
	}
	var other control
	if json.Unmarshal(text, &other) == nil && other.Run != k.Name {
		return errTwo(other.Run)
	}
	return nil
}

// present says that this controller is there.
func (k *Controller) present(m Message) {
	if m.Answer != nil {
		m.Answer(k.control())
	}
}

func (k *Controller) control() []byte {
	data, err := json.Marshal(control{Run: k.Name})
	if err != nil {
		panic(err) // a string
	}
	return data
}

// beats tells the agents that the controller is there while it wants more of them, until it ends.
func (k *Controller) beats() {
	tick := time.NewTicker(2 * k.Timing.Beat)
	defer tick.Stop()
	for {
		k.mu.Lock()
		wants := k.wanted != nil && !k.wanted.full
		k.mu.Unlock()
		if wants {
			k.conn.Publish(subjectControl, k.control())
		}
		select {
		case <-tick.C:
		case <-k.ctx.Done():
			return
		}
	}
}

// Close ends the controller. With complete set, agents forget what they kept.
func (k *Controller) Close(complete bool) error {
	if !complete {
		ctx, cancel := context.WithTimeout(context.Background(), k.Timing.Lead)
		k.each(k.alive(), func(r *remote) error {
			_, err := k.order(ctx, r, order{Leave: true})
			return err
		})
		cancel()
	} else {
		ctx, cancel := context.WithTimeout(context.Background(), k.Timing.Order)
		k.each(k.alive(), func(r *remote) error {
			if k.gathers != nil {
				k.order(ctx, r, order{Run: k.gathers.run, Forget: true}) // it is gathered again otherwise
			}
			_, err := k.order(ctx, r, order{Release: true})
			return err
		})
		cancel()
	}
	k.cancel()
	return k.conn.Close()
}

// alive returns the agents that are not lost.
func (k *Controller) alive() (all []*remote) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.agents {
		if !r.lost {
			all = append(all, r)
		}
	}
	return all
}

// each calls f for each agent at once, and returns the errors.
func (k *Controller) each(agents []*remote, f func(*remote) error) error {
	errs := make([]error, len(agents))
	var wg sync.WaitGroup
	for i, r := range agents {
		wg.Go(func() { errs[i] = f(r) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// order sends an order to an agent and returns its answer. An order may arrive more than once: it is sent again while
// there is no answer.
func (k *Controller) order(ctx context.Context, r *remote, o order) (*answer, error) {
	if o.Run == "" {
		o.Run = k.Name
	}
	wait := k.Timing.Order
	if o.Ping || o.Phase != nil || o.Reassign != nil || o.Start != nil || o.Stop != nil { // an agent answers those at once
		wait = 4 * k.Timing.Beat
	}
	data, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	parts, err := split(NewID(), data, maxPart)
	if err != nil {
		return nil, err
	}
	var a *answer
	for _, part := range parts {
		if a, err = k.request(ctx, r, part, wait); err != nil {
			return nil, err
		}
	}
	if err := a.Err.err(r.Name); err != nil {
		return a, err
	}
	return a, nil
}

// request sends a message until it is answered. It waits for one answer for a time.
func (k *Controller) request(ctx context.Context, r *remote, data []byte, wait time.Duration) (*answer, error) {
	for {
		try, cancel := context.WithTimeout(ctx, wait)
		text, err := k.conn.Request(try, subjectAgent+k.idOf(r), data)
		late := try.Err() != nil
		cancel()
		if err == nil {
			var a answer
			if err := json.Unmarshal(text, &a); err != nil {
				return nil, fmt.Errorf("agent %s: an answer that is not understood", r.Name)
			}
			return &a, nil
		}
		k.watch()
		if ctx.Err() != nil || k.ctx.Err() != nil || k.isLost(r) || !late && !pause(ctx, k.Timing.Beat) {
			return nil, exit.Failed(fmt.Errorf("agent %s does not answer", r.Name), "see whether it still runs")
		}
	}
}

// idOf returns the ID of an agent, which changes when it is started anew.
func (k *Controller) idOf(r *remote) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return r.ID
}

func (k *Controller) isLost(r *remote) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return r.lost
}

// noteOnce tells people something, once.
func (k *Controller) noteOnce(text string) {
	if !k.noted[text] {
		k.noted[text] = true
		k.Note(text)
	}
}

// wake makes those that wait check again.
func (k *Controller) wake() {
	select {
	case k.changed <- struct{}{}:
	default:
	}
}
