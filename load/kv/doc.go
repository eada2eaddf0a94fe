// Package kv is the contract between tare load and key-value stores, and what the
// command needs to open one.
//
// A store is a [DB]. Each worker gets a [Session] of its own, which reads, scans,
// updates, inserts and deletes records:
//
//	db, err := mem.Binding.OpenDB(ctx, kv.Settings{Workers: 8})
//	target, err := ycsb.New(config, db) // a workload makes a load.Target of it
//	totals, err := load.Run(ctx, target, load.Config{Duration: time.Minute}, sink)
//
// A [Binding] says how the command opens a store, which URLs it takes, and which
// [Property] it reads. The packages below this one are bindings.
//
// A [Record] holds values by field number. It is reused: a session that fills or
// keeps one copies the bytes, because a view into a store would race with an update.
package kv
