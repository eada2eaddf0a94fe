package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
)

// A remote is an agent as its controller sees it.
type remote struct {
	hello
	weight int
	clock  offsets

	// Under the controller's lock.
	last        beat
	lastMessage time.Time // the last beat
	leased      time.Time // the last lease was given
	lost        bool
	lostAt      int64  // by the controller's clock, ns
	why         string // it is lost
	dead        bool   // its process has ended: it sends nothing more
	givenUp     bool   // it is not waited for any more
	longestLoss int64  // longest time that it was lost and came back, ns
}

// A Wanted is which agents a run needs: Count any, or those named.
type Wanted struct {
	Count int
	Named []Named
}

// Named is an agent by its name, with its weight: how many of the operations are its own, compared with the others.
type Named struct {
	Name   string
	Weight int
}

// ParseWanted reads 3, or a,b, or a=2,b=1.
func ParseWanted(text string) (Wanted, error) {
	var n int
	if _, err := fmt.Sscanf(text, "%d", &n); err == nil && fmt.Sprint(n) == text {
		if n < 1 || n > maxAgents {
			return Wanted{}, fmt.Errorf("%d agents: want 1 to %d", n, maxAgents)
		}
		return Wanted{Count: n}, nil
	}
	var w Wanted
	for _, part := range strings.Split(text, ",") {
		name, weight, weighted := strings.Cut(strings.TrimSpace(part), "=")
		x := Named{Name: name, Weight: 1}
		if weighted {
			if _, err := fmt.Sscanf(weight, "%d", &x.Weight); err != nil || fmt.Sprint(x.Weight) != weight || x.Weight < 1 || x.Weight > maxWeights {
				return w, fmt.Errorf("%q: the weight of an agent is a number from 1 to %d", part, maxWeights)
			}
		}
		if name == "" {
			return w, fmt.Errorf("%q: want a number of agents, or names as a,b or a=2,b=1", text)
		}
		if slices.ContainsFunc(w.Named, func(o Named) bool { return o.Name == name }) {
			return w, fmt.Errorf("agent %s is named twice", name)
		}
		w.Named = append(w.Named, x)
	}
	w.Count = len(w.Named)
	return w, nil
}

// maxAgents limits the agents of a run.
const maxAgents = 4096

type wanted struct {
	Wanted
	full bool
}

// Join waits until the agents are there, and measures their clocks. The error names those that are missing.
func (k *Controller) Join(ctx context.Context, w Wanted) error {
	k.mu.Lock()
	k.wanted = &wanted{Wanted: w}
	k.agents = make([]*remote, 0, w.Count)
	k.mu.Unlock()
	for !k.joined() {
		select {
		case <-k.changed:
		case <-ctx.Done():
			return exit.Failed(fmt.Errorf("waiting for agents: %s", k.missing()), "start them: tare-full agent --join …; --agents-timeout waits longer")
		case err := <-k.fail:
			return err
		}
	}
	return k.each(k.alive(), func(r *remote) error { return k.measureClock(ctx, r, firstExchanges) })
}

func (k *Controller) joined() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.wanted.full = len(k.agents) == k.wanted.Count
	for _, r := range k.agents {
		if r.last.Run != k.Name { // it does not know yet that it has joined
			return false
		}
	}
	return k.wanted.full
}

// missing says which agents are not there.
func (k *Controller) missing() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.wanted.Named) == 0 {
		return fmt.Sprintf("%d of %d joined", len(k.agents), k.wanted.Count)
	}
	var names []string
	for _, n := range k.wanted.Named {
		if !slices.ContainsFunc(k.agents, func(r *remote) bool { return r.Name == n.Name }) {
			names = append(names, n.Name)
		}
	}
	return strings.Join(names, ", ") + " did not join"
}

// hello answers an agent that wants to take part.
func (k *Controller) hello(m Message) {
	var h hello
	if m.Answer == nil {
		return
	}
	var w welcome
	if err := json.Unmarshal(m.Data, &h); err != nil || h.ID == "" {
		k.count(&k.garbage)
		w.Refused = "its hello is not understood"
	} else {
		w = k.admit(&h)
	}
	if data, err := json.Marshal(w); err == nil {
		m.Answer(data)
	}
	k.wake()
}

func (k *Controller) count(n *int) {
	k.mu.Lock()
	*n++
	k.mu.Unlock()
}

// admit decides about an agent.
func (k *Controller) admit(h *hello) welcome {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r := k.byID[h.ID]; r != nil { // it left, or did not get the answer
		r.lastMessage, r.Kept = time.Now(), h.Kept
		return welcome{Run: k.Name}
	}
	if h.Version != Version || k.Tare != "" && h.Tare != k.Tare {
		k.noteOnce(fmt.Sprintf("agent %s was refused: it has tare %s, this is %s", h.Name, h.Tare, k.Tare))
		return welcome{Refused: fmt.Sprintf("it has tare %s, the controller %s: the same must run on all machines", h.Tare, k.Tare)}
	}
	if k.wanted == nil {
		return welcome{Wait: true}
	}
	if err := CheckAgentName(h.Name); err != nil {
		return welcome{Refused: err.Error()}
	}
	if same := k.named(h.Name); same != nil {
		if slices.Contains(h.Kept, k.Name) { // it was started anew
			if !same.lost {
				return welcome{Wait: true}
			}
			return k.replace(same, h)
		}
		k.noteOnce(fmt.Sprintf("agent %s on %s was refused: another agent has that name", h.Name, h.Host))
		return welcome{Refused: "another agent is named " + h.Name + ": give this one its own --name"}
	}
	if k.wanted.full || len(k.agents) == k.wanted.Count {
		return welcome{Wait: true}
	}
	if k.Gathered != "" && !slices.Contains(h.Kept, k.Gathered) {
		k.noteOnce(fmt.Sprintf("agent %s offers itself and has nothing of the run", h.Name))
		return welcome{Wait: true}
	}
	r := &remote{hello: *h, weight: 1, lastMessage: time.Now(), leased: time.Now()}
	if names := k.wanted.Named; len(names) > 0 {
		i := slices.IndexFunc(names, func(n Named) bool { return n.Name == h.Name })
		if i < 0 {
			k.noteOnce(fmt.Sprintf("agent %s offers itself and is not among --agents", h.Name))
			return welcome{Wait: true}
		}
		r.weight = names[i].Weight
	}
	k.agents = append(k.agents, r)
	k.byID[h.ID] = r
	k.sortAgents(k.agents)
	k.noteOnce(fmt.Sprintf("agent %s joined: %s, %d cores", h.Name, h.Host, h.Cores))
	return welcome{Run: k.Name}
}

// named returns the agent of a name.
func (k *Controller) named(name string) *remote {
	for _, r := range k.agents {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// sortAgents sorts agents as they were named, so that each has the same operations in every run.
func (k *Controller) sortAgents(all []*remote) {
	place := func(r *remote) int {
		return slices.IndexFunc(k.wanted.Named, func(n Named) bool { return n.Name == r.Name })
	}
	slices.SortStableFunc(all, func(a, b *remote) int { return place(a) - place(b) })
}

// replace has an agent that was started anew hand over what its lost predecessor kept.
func (k *Controller) replace(lost *remote, h *hello) welcome {
	k.byID[h.ID] = lost // its orders go to the new one
	lost.ID, lost.Kept = h.ID, h.Kept
	k.noteOnce(fmt.Sprintf("agent %s was started anew: what it kept is gathered", h.Name))
	go func() {
		if _, err := k.order(k.ctx, lost, order{Gather: true}); err != nil && k.ctx.Err() == nil {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.noteOnce(err.Error())
		}
	}()
	return welcome{Run: k.Name}
}

// maxMeasured is how many clocks are measured at once. With many more, messages would wait for each other, and the shortest
// round trip would be long.
const maxMeasured = 64

// measureClock measures an agent's clock.
func (k *Controller) measureClock(ctx context.Context, r *remote, n int) error {
	select {
	case k.measuring <- struct{}{}:
		defer func() { <-k.measuring }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return r.clock.measure(ctx, n, k.Clock, func(ctx context.Context) (int64, error) {
		a, err := k.order(ctx, r, order{Ping: true})
		if err != nil {
			return 0, err
		}
		return a.Clock, nil
	})
}

// beat notes what an agent says of itself.
func (k *Controller) beat(m Message) {
	var b beat
	if json.Unmarshal(m.Data, &b) != nil || m.Subject != subjectBeat+b.ID { // an agent speaks of itself
		k.count(&k.garbage)
		return
	}
	if k.note(&b) {
		k.lease(&b)
	}
	k.wake()
}

// note notes a beat, and reports whether the agent may go on.
func (k *Controller) note(b *beat) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	r := k.byID[b.ID]
	if r == nil || b.Run != k.Name {
		return false
	}
	r.last, r.lastMessage = *b, time.Now()
	if r.lost && !k.returns(r) {
		return false // what is due for it may be given to others
	}
	if p := k.phase; p != nil {
		if m := p.memberOf(r); m != nil && m.unconfirmed {
			return false
		}
	}
	r.leased = r.lastMessage
	return true
}

// lease answers a beat.
func (k *Controller) lease(b *beat) {
	if data, err := json.Marshal(lease{Run: k.Name, At: b.At}); err == nil {
		k.conn.Publish(subjectAgent+b.ID, data) // the next one is as good
	}
}
