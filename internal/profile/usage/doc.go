// Package usage is the profiler "usage" of tare bench: CPU time, context
// switches and page faults of each measured iteration of a benchmark.
package usage
