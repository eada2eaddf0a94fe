// Command truth compares tare's figures with known values and prints the errors.
//
//	go -C lab run ./truth heap    a map of a million ints, a million pointers to structs
//	go -C lab run ./truth peak    a mapping of 256 MiB that is touched
//	go -C lab run ./truth allocs  benchmarks that allocate a known number of bytes
//	go -C lab run ./truth workers six workers that have 1 to 6 parts of work to do
//	go -C lab run ./truth poll    the cost of reading the heap after each GC cycle
//	go -C lab run ./truth trace   functions with very many calls, without probes
//	go -C lab run ./truth         all of them
//
// Each figure is the median over forks. The benchmarks are those in
// subjects_test.go; tare bench runs them as it would run anybody's.
package main
