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
//
// Connections that do nothing lock nobody out: when all places are taken, who comes takes that of another. The owner keeps his
// before all others. Where there is a token, the owner is who has it. Without one, on loopback, every program of the machine may
// read the page, also those of other users, and nothing that a browser sends by itself tells the owner's from theirs. So the
// address that tare prints has a secret behind #, which browsers keep to themselves and the script of the page sends with its
// request for events. It opens nothing that is closed without it.
package server
