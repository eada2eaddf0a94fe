// Package bolt puts load on bbolt, a key-value store in one file on disk that is
// part of the program. It is tare's default real database, since it needs nothing
// but Go.
//
//	tare load --workload a --db bolt --rate 5000 --duration 10s
//	tare load --workload a --db bolt -p bolt.sync=true --dir /var/tmp/data
//
// # Properties
//
//	bolt.sync    false   flush each commit to disk (fsync)
//	bolt.batch   0s      how long a write waits for others to share its transaction; 0s: not at all
//
// The file is tare.bolt in the directory that was given, where it stays, or in a
// temporary one, which is removed with everything in it. There is a bucket for
// each table, and a record is stored under its key in the encoding that package
// internal/blob documents.
//
// # What must be known
//
// With bolt.sync=false commits are written to the operating system, not to disk.
//
// One transaction at a time may write: each insert, update and delete is one, and
// more workers do not make them faster, they queue. With bolt.batch they share
// transactions instead; a single worker then waits the whole time for nobody.
//
// A partial update reads the record, changes it and writes it, in its
// transaction.
//
// Calls of bbolt cannot be interrupted: the timeout of operations is not applied
// to them, and a context that is cancelled ends an operation only before its
// transaction has begun to work.
package bolt
