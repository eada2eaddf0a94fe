package faulty

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarebench/tare/full/internal/cluster"
	"github.com/tarebench/tare/full/internal/cluster/conntest"
)

// open opens a network with a controller and agents, which are closed at the end of the test.
func open(t *testing.T, n *Network, f Faults, ids ...string) (controller cluster.Conn, agents map[string]cluster.Conn) {
	n.Set(f)
	controller, agents = n.Conn("controller", false), map[string]cluster.Conn{}
	t.Cleanup(func() { controller.Close() })
	for _, id := range ids {
		c := n.Conn(id, true)
		agents[id] = c
		t.Cleanup(func() { c.Close() })
	}
	return controller, agents
}

// network returns one with a seed that is printed.
func network(t *testing.T) *Network {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return New(seed)
}

// TestContract: without faults, and where messages take their time.
func TestContract(t *testing.T) {
	for name, f := range map[string]Faults{"direct": {}, "delayed": {MinDelay: time.Millisecond, MaxDelay: 30 * time.Millisecond}} {
		t.Run(name, func(t *testing.T) {
			conntest.Run(t, conntest.Suite{
				Bubble: synctest.Test,
				Open: func(t *testing.T) conntest.World {
					n := network(t)
					controller, agents := open(t, n, f, "a", "b")
					return conntest.World{Controller: controller, Agents: agents, Restart: n.Restart}
				},
			})
		})
	}
}

// TestContractOutside: the contract in real time, for the race detector and its order of goroutines.
func TestContractOutside(t *testing.T) {
	conntest.Run(t, conntest.Suite{Open: func(t *testing.T) conntest.World {
		n := network(t)
		controller, agents := open(t, n, Faults{MaxDelay: time.Millisecond}, "a", "b")
		return conntest.World{Controller: controller, Agents: agents, Restart: n.Restart}
	}})
}
