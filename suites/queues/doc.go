// Package queues measures package queue beside channels, other Go libraries and
// JCTools, and holds the published ones to the checks of package queuetest.
//
//  1. A [Kind] is a way of handing elements over: a queue, and how its users wait.
//     [Kinds] lists all.
//  2. [Kind.New] makes a [Link], one queue with the loops of its producers and
//     consumers, for one window of a benchmark.
//  3. The loops are written for concrete types, as users write them, and not over
//     an interface or a constrained type parameter, either of which costs a call
//     through a table for each element. go generate writes them for each type, from
//     templates in cmd/pumps. They are not committed: run it first.
//  4. [LineNs] measures how far the cores are from each other. It is reported beside
//     each figure, because it decides more than most of the queues do.
//  5. [JCTools] runs the same in Java, one measurement of one process at a time.
//
// The README says how to run it, and what came out.
package queues

//go:generate go run ./cmd/pumps
