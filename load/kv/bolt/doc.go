// Package bolt puts bbolt under load, an embedded key-value store in one file on disk.
// It is tare's default real database, because it needs only Go.
//
//	tare load --workload a --db bolt --rate 5000 --duration 10s
//	tare load --workload a --db bolt -p bolt.sync=true --dir /var/tmp/data
//
// # Properties
//
//	bolt.sync    false   flush each commit to disk (fsync)
//	bolt.batch   0s      how long a write waits for others to share its transaction; 0s: not at all
//
// The file is tare.bolt in the given directory, where it stays, or in a temporary
// directory that is removed. There is a bucket for each table. A record is stored
// under its key in the encoding of package internal/client/kvcodec.
//
// # Limitations
//
// With bolt.sync=false commits are written to the operating system, not to disk.
//
// One transaction at a time may write, and each insert, update and delete is one. More
// workers wait in a queue. With bolt.batch they share transactions; a single worker
// then waits the whole time in vain.
//
// A partial update reads the record, changes it and writes it, in its
// transaction.
//
// Calls of bbolt cannot be interrupted: the timeout of operations is not applied
// to them, and a context that is cancelled ends an operation only before its
// transaction has begun to work.
package bolt
