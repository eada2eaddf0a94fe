package faulty

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/link"
)

// detectTime is how long a server takes a connection for alive that does not answer its pings.
const detectTime = 2 * time.Second

// Faults are what goes wrong. Shares are from 0 to 1. The zero value is a network without delays or faults.
type Faults struct {
	Loss      float64 // share of published messages that do not arrive at a subscriber
	Duplicate float64 // share of published messages, and of deliveries, that arrive twice
	Reorder   float64 // share of published messages that are late, so that later ones overtake them

	RequestLoss float64 // share of requests that do not arrive
	AnswerLoss  float64 // share of answers that do not arrive

	StoreLoss float64 // share of attempts to deliver that are lost before the message is stored
	AckLoss   float64 // share of attempts to deliver whose message is stored, which the agent does not learn: it is stored twice
	Full      bool    // the server has no room: Deliver fails

	MinDelay, MaxDelay time.Duration // of every message; between them all are equally likely
	QueueLimit         int           // messages that may wait for a handler, further ones are lost; 0 is no limit
}

// A Network is a server with its connections.
type Network struct {
	seed uint64

	mu          sync.Mutex
	faults      Faults
	random      map[string]*rand.Rand // by who sends what to whom: independent of what others do meanwhile
	conns       map[*conn]bool
	subs        map[string][]*subscription // by subject; "" has those of many subjects
	partitioned map[string]time.Time       // since when
	isDown      bool
	store       store
	sent        uint64 // messages, to keep their order
}

// New returns a network without faults.
func New(seed uint64) *Network {
	return &Network{
		seed: seed, random: map[string]*rand.Rand{}, conns: map[*conn]bool{}, subs: map[string][]*subscription{}, partitioned: map[string]time.Time{},
		store: store{ids: map[string]bool{}, grown: make(chan struct{})},
	}
}

// Set sets the faults of all messages from now on.
func (n *Network) Set(f Faults) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.faults = f
}

// Conn returns a new connection of an agent, or of a controller. It panics if the id is no name.
func (n *Network) Conn(id string, agent bool) cluster.Conn {
	if err := cluster.CheckName(id); err != nil {
		panic(err)
	}
	c := &conn{network: n, id: id, agent: agent, link: link.New(), closed: make(chan struct{}), subs: map[*subscription]bool{}}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.conns[c] = true
	n.update()
	return c
}

// Partition separates all connections of an id from the server, or ends that.
func (n *Network) Partition(id string, on bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, was := n.partitioned[id]
	switch {
	case on && !was:
		n.partitioned[id] = time.Now()
	case !on:
		delete(n.partitioned, id)
	}
	n.update()
}

// Kill ends all connections of an id as kill -9 of its process does. What it had not delivered is gone.
func (n *Network) Kill(id string) {
	n.mu.Lock()
	var killed []*conn
	for c := range n.conns {
		if c.id == id {
			killed = append(killed, c)
		}
	}
	n.mu.Unlock()
	for _, c := range killed {
		c.Close()
	}
}

// Stop ends the server: all connections are lost, and what was published and not yet handled. What is stored stays.
func (n *Network) Stop() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.isDown = true
	for c := range n.conns {
		for s := range c.subs {
			s.queue = nil
		}
	}
	n.update()
}

// Start starts the server again.
func (n *Network) Start() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.isDown = false
	n.update()
}

// Restart is Stop and Start.
func (n *Network) Restart() {
	n.Stop()
	n.Start()
}

// update tells all connections whether they are connected. The lock is held.
func (n *Network) update() {
	for c := range n.conns {
		_, alone := n.partitioned[c.id]
		c.link.Set(!n.isDown && !alone)
	}
}

// isServed reports whether the server sends a connection its messages: also some time after it was separated. The lock is held.
func (n *Network) isServed(c *conn) bool {
	since, alone := n.partitioned[c.id]
	return n.conns[c] && !n.isDown && (!alone || time.Since(since) < detectTime)
}

// chance draws for messages of a kind. The lock is held.
func (n *Network) chance(kind string, from *conn, to, subject string) *rand.Rand {
	key := fmt.Sprintf("%s %s %s %s", kind, from.id, to, subject)
	r := n.random[key]
	if r == nil {
		h := fnv.New64a()
		h.Write([]byte(key))
		r = rand.New(rand.NewPCG(n.seed, h.Sum64()))
		n.random[key] = r
	}
	return r
}

// delay draws that of one message. The lock is held.
func (n *Network) delay(r *rand.Rand) time.Duration {
	span := n.faults.MaxDelay - n.faults.MinDelay
	if span <= 0 {
		return n.faults.MinDelay
	}
	return n.faults.MinDelay + time.Duration(r.Int64N(int64(span)+1))
}
