// Package pebble puts Pebble under load, CockroachDB's embedded log-structured
// key-value store. It is in the command tare-full.
//
//	tare-full load --workload a --db pebble --rate 5000 --duration 10s
//
// # Properties
//
//	pebble.sync    false   flush the log to disk at each write (fsync)
//	pebble.cache   64MiB   block cache: bytes, or KiB, MiB, GiB
//
// The data are in tare.pebble in the given directory, where they stay, or in a
// temporary directory that is removed. A key is the name of the table, a zero byte,
// and the key of the record; its value is the record in the encoding of package
// internal/client/kvcodec. All other options
// are Pebble's defaults.
//
// # Limitations
//
// With pebble.sync=false writes are in the log's buffer when they return, not on
// disk.
//
// A partial update reads the record, changes it and writes it; a delete looks
// first whether there is a record. Writes of one key wait for each other
// meanwhile, in this binding.
//
// Pebble flushes and compacts in the background, in this process: processor time
// that tare and the workers miss.
//
// Where its log cannot be written, as on a full disk, Pebble has no way to go on,
// and the program panics. Other errors in the background fail the operations that
// follow.
//
// Its calls cannot be interrupted: the timeout of operations is not applied to
// them, and a context that is cancelled ends an operation only before it begins.
package pebble
