// Package caches compares Go caches by the memory they take and the work they do:
// read-through caches under Zipfian keys, the experiment of the cache2k article on
// memory in benchmarks.
//
// Its benchmark is an ordinary one:
//
//	go test -bench . -benchtime 1s                    # short
//	tare bench --prof mem --env CACHES=scaled -o caches.jsonl
//	go run ./cmd/results -o results caches.jsonl      # tables and charts
//
// To add a cache, write a file with a type that implements [Cache] and a [Session],
// and add a line to [All]; the tests then hold it to what the others are held to.
package caches
