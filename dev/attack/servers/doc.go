// Package servers attacks tare load with servers that are ill: they pause, answer slowly or in pieces, answer
// with garbage, stop answering, close connections, or are gone.
//
// Whatever a server does, every operation that was scheduled must be accounted for: it completed, failed, is unfinished, or was
// dropped or never sent. And the run must end.
package servers
