package toolchain

// Usage returns the part of profiler usage: CPU time, context switches and page faults.
func Usage() *Part { return part("Usage", "usage.go") }

// Mem returns the part of profiler mem: retained memory, peaks, and the share of the garbage collector.
func Mem() *Part {
	return part("Mem", "mem.go", "mem_settle.go", "mem_cycles.go", "mem_midrun.go", "mem_reads.go", "mem_report.go")
}

// Heap returns the part of profiler heap: what occupies the heap, by allocation site.
func Heap() *Part { return part("Heap", "heap.go") }

// Collect returns the part of --gc-before: a garbage collection before each iteration.
func Collect() *Part { return part("Collect", "collect.go") }

// Counter returns the part of profiler counter: events of processor and kernel.
func Counter() *Part { return part("Counter", "counter.go") }

// Sched returns the part of profiler sched: an execution trace of each run.
func Sched() *Part { return part("Sched", "sched.go") }

// TimerLog returns the part of profilers that sample a process all the time: it logs when the timer ran.
func TimerLog() *Part { return part("TimerLog", "timerlog.go") }

// Trace returns the part of profiler trace: calls count while the timer runs. It needs [Probes] in package runtime.
func Trace() *Part { return part("Trace", "trace.go") }

// Alloc returns the part of profiler alloc: allocations by call stack. It needs [Allocs] in package runtime.
func Alloc() *Part { return part("Alloc", "alloc.go", "alloc_write.go") }

func part(name, file string, more ...string) *Part {
	p := &Part{Name: name, Source: partText(file)}
	for _, file := range more {
		p.More = append(p.More, partText(file))
	}
	return p
}

func partText(file string) string { return text("_testing/parts/" + file) }
