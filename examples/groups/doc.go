// Package groups measures a queue as it is used: three producers against one
// consumer, over a buffered channel and over a ring under a mutex, at several
// capacities.
//
//	go test -bench . ./examples/groups
//	tare bench ./examples/groups
//
// An ordinary benchmark has one loop and one figure for all goroutines. Here each
// role has its own: what the producers get rid of per second, how many of their
// offers failed because the queue was full, and what the consumer got.
package groups
