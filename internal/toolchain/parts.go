package toolchain

import "embed"

// parts are the halves of profilers that work in the measured process.
//
//go:embed _testing/parts/*.go
var parts embed.FS

// Usage is the half of profiler usage: CPU time, switches and page faults.
func Usage() *Part { return part("Usage", "usage.go") }

// Mem is the half of profiler mem: what is retained, peaks, and the collector's share.
func Mem() *Part { return part("Mem", "mem.go") }

// Heap is the half of profiler heap: what occupies the heap, by where it was allocated.
func Heap() *Part { return part("Heap", "heap.go") }

// Counter is the half of profiler counter: events of processor and kernel.
func Counter() *Part { return part("Counter", "counter.go") }

// Sched is the half of profiler sched: an execution trace of each run.
func Sched() *Part { return part("Sched", "sched.go") }

// Stops is the half of profilers that sample a process all the time: when the timer ran.
func Stops() *Part { return part("Stops", "stops.go") }

// Trace is the half of profiler trace: calls count while the timer runs. It needs [Probes] in
// package runtime.
func Trace() *Part { return part("Trace", "trace.go") }

func part(name, file string) *Part {
	text, err := parts.ReadFile("_testing/parts/" + file)
	if err != nil {
		panic(err) // it is compiled in
	}
	return &Part{Name: name, Source: string(text)}
}
