// Command http compares tare load with vegeta as load generators for HTTP/1.1: the CPU time that a request takes of the
// generator, the rate it reaches, and how near requests are sent to when they are due.
//
//	go run .                # prints a table in Markdown; takes 5 minutes
//	go run . -tune          # the same for several configurations of vegeta; takes 10 minutes
//
// Each measurement is a process that sends requests at a constant rate. One server, in another process, answers all of them. In each
// round every generator is measured once; the order is random.
package main
