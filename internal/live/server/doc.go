// Package server is the process that shows a run in browsers while it goes on (see package live, which starts it). It reads the
// record file as it grows and serves
//
//	/          the page of the record so far, whose scripts ask for the rest
//	/events    what is new, as server-sent events, from the beginning of the record for who comes late
//	/save      the page as a file, with the record inside
//	/metrics   figures for Prometheus
//
// For each browser the server keeps an offset in the record file, and no queue. A browser that reads nothing for 5 s is
// disconnected. No other browser, and not the run, waits for it.
package server
