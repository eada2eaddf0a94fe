// Package echo is a target of tare load with a protocol of its own: a line goes to the server, and comes back.
//
//	tare load ./examples/echo --rate 1000 --duration 5s
//	tare load ./examples/echo --rate 1000 -p addr=127.0.0.1:7000 -p bytes=100
//
// Without an address it loads a server in its own process, to try it out.
package echo
