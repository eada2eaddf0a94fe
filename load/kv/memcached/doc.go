// Package memcached puts memcached under load.
//
// # Recipe
//
//	memcached -l 127.0.0.1 &
//	tare load --workload b --db memcached --rate 5000 --duration 30s
//	tare load --workload b --db memcached://127.0.0.1:11211
//
// In a program, [Open] gives a [kv.DB] for a workload such as
// [github.com/tarebench/tare/load/ycsb].
//
// # Properties
//
//	memcached.addr  127.0.0.1:11211   host:port, or the path of a Unix socket
//
// A URL memcached://host:port has the same meaning; the property overrides it. An
// address off this machine needs the consent that load.Consent describes.
//
// # Storage
//
// A record is one value under TABLE:KEY: for each field its number and the length
// of its value, as uvarints, and the value. memcached cannot list keys, so there is no
// scan, and workload E is rejected. Keys have at most 250 bytes with the
// table's name, without spaces and control characters; values have at most 1 MB,
// unless the server is configured otherwise.
//
//	read     gets
//	update   of all fields: replace. Of some: gets and cas, which is repeated
//	         while others change the record between the two
//	insert   set
//	delete   delete
//
// So a partial update is two round trips, and is measured as one operation.
//
// memcached drops records when its memory is full: reads of those are counted as
// not found. The data stay in the server after Close.
//
// # Client
//
// The client library is github.com/bradfitz/gomemcache. Each session has a client of
// one connection, so that sessions do not wait for each other. Nothing is retried;
// after an error the next operation connects again. Settings.OpTimeout limits each
// connect and each round trip. At the end of the run its connections are closed, also
// during operations.
package memcached
