// Package faulty connects a controller and its agents in memory, with faults: messages that are lost, late, doubled or
// overtaken, connections that are lost, a server that is started anew. All chance follows from one seed, so that a run in a
// testing/synctest bubble is the same each time.
//
//	n := faulty.New(seed)
//	n.Set(faulty.Faults{Loss: 0.1, MaxDelay: 50 * time.Millisecond})
//	controller, agent := n.Conn("controller", false), n.Conn("a1", true)
//	n.Partition("a1", true)
//
// In a bubble every connection must be closed before the bubble ends.
package faulty
