// Package scenario puts a web server under load with transactions of several requests, which a
// file describes. It is a [load.Target] by itself and takes no workload.
//
// # Recipe
//
//	s, err := scenario.Read("shop.yaml", os.LookupEnv)     // all that is wrong, with line and column
//	allow, err := load.ParseConsent(s.Allow)
//	target, err := scenario.Open(ctx, s, scenario.Settings{Allow: allow, OpTimeout: 10 * time.Second, Seed: 1})
//	defer target.Close()
//	total, err := load.Run(ctx, target, load.Config{
//		Schedule: s.Schedule(), Duration: s.Duration(), Workers: 4, AutoWorkers: true,
//	}, sink)
//
// The command is tare load --scenario FILE; docs/verbs/load.md describes the file, and [Schema] is
// its JSON Schema.
//
// # What is measured
//
// Each transaction is a kind of operation, and each of its steps one named transaction/step. A
// transaction is due; a step follows when the one before was answered, and so has a service time
// only. It ends when the body of its last response has been read, redirects included. What is checked
// and captured afterwards is in the time of the transaction, some µs. Think time is in none; see
// [load.Timer.Pause]. A failed check is an error of class "check", a capture that finds nothing one of class "capture"; the
// steps after it are not sent.
//
// Which transaction operation k is, its rows of data and its random values follow from the seed and k
// alone, whatever worker sends it. Rows stay in their files: a file of 10 million rows takes 1.3 MB
// of memory and is read once before the run.
//
// # Limits
//
// A path to a JSON value has names and indexes only. Documents are read up to the value, so that what is
// wrong behind it is not seen. Bodies are not decompressed, and responses of more than 64 MiB are
// errors. Requests are those of HTTP/1.1. Values in a body of type text are written as they are.
//
// # Overhead
//
// A template of three variables takes some 50 ns and allocates nothing, a JSON path 1 ns for each byte up to the value
// (BenchmarkTemplate, BenchmarkJSONPath). Requests are sent as package load/http does.
package scenario
