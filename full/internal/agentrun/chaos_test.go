//go:build linux || darwin

package agentrun_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// TestChaos: whatever happens to the processes of a run, its record is true. Each run follows from its seed: TARE_CHAOS_SEED
// repeats one.
func TestChaos(t *testing.T) {
	text := os.Getenv("TARE_CHAOS")
	if text == "" {
		t.Skip("TARE_CHAOS=N makes N runs, of some 10 s each: they need a machine that has processors for them")
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	first := rand.Uint64()
	if text := os.Getenv("TARE_CHAOS_SEED"); text != "" {
		if first, err = strconv.ParseUint(text, 16, 64); err != nil {
			t.Fatal(err)
		}
		n = 1
	}
	for i := range n {
		seed := first + uint64(i)
		t.Run(fmt.Sprintf("%016x", seed), func(t *testing.T) {
			t.Parallel()
			h := newHistory(seed)
			t.Log(h)
			h.run(t)
		})
	}
}

// A history is one run, and what happens in it.
type history struct {
	seed     uint64
	agents   int
	rate     int
	closed   uint64 // operations of a closed loop, instead of rate and duration; 0: there is none
	weights  bool
	poisson  bool
	duration time.Duration
	interval time.Duration
	policy   string
	strict   bool
	external bool // the server is a process of its own
	events   []event
}

// An event happens at a time from the first operation.
type event struct {
	what  string
	at    time.Duration
	agent int
	long  time.Duration
}

func (e event) String() string {
	return fmt.Sprintf("%s of %d at %s for %s", e.what, e.agent, e.at.Round(time.Millisecond), e.long.Round(time.Millisecond))
}

// Events.
const (
	killAgent        = "kill"
	freezeAgent      = "freeze"
	holdAgent        = "partition, held"
	cutAgent         = "partition, cut"
	freezeController = "freeze of the controller"
	restartServer    = "restart of the server"
	lateAgent        = "late agent"
	restartAgent     = "kill and start"
	garbage          = "garbage"
	killController   = "kill of the controller"
)

func newHistory(seed uint64) *history {
	r := rand.New(rand.NewPCG(seed, 1))
	h := &history{
		seed: seed, agents: 2 + r.IntN(3), rate: 200 + r.IntN(1301), poisson: r.IntN(2) == 0,
		duration: 2*time.Second + span(r, 2*time.Second), interval: 250*time.Millisecond + span(r, 750*time.Millisecond),
		policy: []string{"continue", "stop", "redistribute"}[r.IntN(3)], strict: r.IntN(3) == 0, external: r.IntN(2) == 0,
	}
	kinds := []string{killAgent, killAgent, freezeAgent, freezeAgent, holdAgent, cutAgent, freezeController, lateAgent, restartAgent, garbage}
	if h.external {
		kinds = append(kinds, restartServer, restartServer)
	}
	if r.IntN(6) == 0 {
		kinds = append(kinds, killController, killController)
	}
	if h.weights = r.IntN(3) == 0; r.IntN(5) == 0 {
		h.closed = 1500 + r.Uint64N(1500)
	}
	early := h.duration
	if h.policy == "redistribute" && r.IntN(2) == 0 {
		h.duration += 5 * time.Second // so that others take over what is due for a lost agent
	}
	for range r.IntN(4) {
		e := event{what: kinds[r.IntN(len(kinds))], at: span(r, early), agent: r.IntN(h.agents), long: 200*time.Millisecond + span(r, 5800*time.Millisecond)}
		switch e.what {
		case freezeController:
			e.long = 200*time.Millisecond + span(r, 1800*time.Millisecond)
		case restartServer, restartAgent:
			e.long = span(r, 1500*time.Millisecond)
		}
		h.events = append(h.events, e)
	}
	return h
}

func (h *history) has(what string) bool {
	for _, e := range h.events {
		if e.what == what {
			return true
		}
	}
	return false
}

func (h *history) String() string {
	arrivals := "constant"
	if h.poisson {
		arrivals = "poisson"
	}
	if h.closed > 0 {
		arrivals = fmt.Sprintf("closed loop of %d,", h.closed)
	}
	return fmt.Sprintf("seed %016x: %d agents, %s %d/s for %s, intervals of %s, --on-loss %s, weights %v, strict %v, external %v: %v",
		h.seed, h.agents, arrivals, h.rate, h.duration.Round(time.Millisecond), h.interval.Round(time.Millisecond), h.policy, h.weights, h.strict, h.external, h.events)
}

// span draws a time below another.
func span(r *rand.Rand, below time.Duration) time.Duration {
	return time.Duration(r.Int64N(int64(below)))
}
