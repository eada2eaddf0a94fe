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
// Idle connections keep no one from connecting: when all places are taken, a new connection replaces another one. The
// owner's connections are replaced last. With a token, the owner is who has it. Without one, on loopback, every program of
// the machine may read the page, also those of other users, and a browser sends nothing by which the owner could be
// recognized. The address that tare prints therefore has a secret behind #. Browsers do not send that part; the script of the
// page sends it with its request for events. The secret gives no access beyond that.
package server
