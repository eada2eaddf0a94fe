// Command http compares tare load with vegeta as load generators for HTTP/1.1: the CPU time that a request takes of the
// generator, the rate it reaches, and how near requests are sent to when they are due.
//
//	go run .                # a table in Markdown: 5 minutes
//	go run . -tune          # vegeta in several configurations
//
// Each measurement is a process of its own that sends at a constant rate to a server in a further process, which all share. Rounds
// measure each generator once, in random order.
package main
