// Command truth compares tare's figures with known values and prints the errors.
//
//	go run ./examples/truth heap    a map of a million ints, a million pointers to structs
//	go run ./examples/truth peak    a mapping of 256 MiB that is touched
//	go run ./examples/truth allocs  benchmarks that allocate a known number of bytes
//	go run ./examples/truth workers six workers that have 1 to 6 parts of work to do
//	go run ./examples/truth poll    the cost of reading the heap after each GC cycle
//	go run ./examples/truth trace   functions with very many calls, without probes
//	go run ./examples/truth         all of them
//
// Each figure is the median over forks. The benchmarks are those in
// subjects_test.go; tare bench runs them as it would run anybody's.
package main
