// Package groups measures a queue as it is used: three producers against one
// consumer, over a buffered channel and over a ring under a mutex, at several
// capacities.
//
//	go test -bench . ./examples/groups
//	tare bench ./examples/groups
//
// An ordinary benchmark has one loop and one figure for all goroutines. Here each role
// has its own: items per second of the producers and of the consumer, and failed
// offers of the producers because the queue was full.
package groups
