// Package conntest holds the contract of [cluster.Conn] as tests, which every implementation must pass.
//
// What the contract says besides the comments of the interface:
//   - An agent has the rights of [cluster.AgentRights]: subscribing to and delivering on other subjects fails, and what it
//     publishes on them has no receivers.
//   - A message above [cluster.MaxMessage] is refused, with an error that names its size.
//   - While there is no connection, Publish fails or the message is lost; Request and Deliver wait for one until their context
//     ends. A request that was sent when the connection is lost fails.
//   - Subscriptions are there again when the connection is.
//   - The error of a context that ended is in the chain of what the call returns.
//   - After Close all calls fail, those that wait at once. Close may be called again.
package conntest

import (
	"testing"

	"github.com/tarebench/tare/full/internal/cluster"
)

// World is a server with connections to it.
type World struct {
	Controller cluster.Conn
	Agents     map[string]cluster.Conn // named "a" and "b"

	// Restart ends the server and starts it again, with what it has stored.
	Restart func()
}

// Suite is an implementation.
type Suite struct {
	Open   func(t *testing.T) World               // closed by t.Cleanup
	Bubble func(t *testing.T, f func(*testing.T)) // what tests run in; nil is nothing
}

// Run tests an implementation.
func Run(t *testing.T, s Suite) {
	for _, c := range []struct {
		name string
		f    func(*testing.T, World)
	}{
		{"Request", testRequest},
		{"NoResponders", testNoResponders},
		{"Order", testOrder},
		{"Wildcard", testWildcard},
		{"Cancel", testCancel},
		{"Sizes", testSizes},
		{"Deliver", testDeliver},
		{"Again", testAgain},
		{"SameID", testSameID},
		{"Context", testContext},
		{"Rights", testRights},
		{"Close", testClose},
		{"Restart", testRestart},
		{"DeliverAcrossRestarts", testDeliverAcrossRestarts},
		{"Concurrent", testConcurrent},
	} {
		run := func(t *testing.T) { c.f(t, s.Open(t)) }
		t.Run(c.name, func(t *testing.T) {
			if s.Bubble != nil {
				s.Bubble(t, run)
			} else {
				run(t)
			}
		})
	}
}
