// Package mem is the profiler "mem" of tare bench: what a benchmark keeps alive, its peaks, the work of the garbage
// collector, and what occupies the heap.
//
//	tare bench --prof mem
//
// It runs in forks of its own, because it forces collections and writes to /proc; their times are not results. It
// measures:
//
//	usedHeap_baseline-B   live heap before the benchmark's function was first called
//	usedMem_baseline-B    memory in use at that time
//	VmRSS_baseline-B      resident at that time
//	usedHeap_settled-B    live heap while the subject lives, collected until it is stable
//	usedHeap_growth-B     settled minus baseline
//	usedMem_fin-B         memory in use after one collection
//	usedMem_settled-B     the same, collected until it is stable
//	usedMem_max-B         the same, the maximum at the end of a cycle
//	totalMem_settled-B    mapped by the Go runtime and not returned
//	totalMem_max-B        the same, the maximum at the end of a cycle
//	usedHeap_min-B        live heap on the way: the least, the median and the largest of some reads in the last window
//	usedHeap_p50-B
//	usedHeap_max-B
//	usedHeap_reads        their number
//	usedHeap_returned-B   live heap when the benchmark's function has returned
//	VmHWM-B               peak of resident memory in the window, reset at its start
//	mem-poll-share        share of the window for reading at the ends of cycles
//	VmRSS-B, PSS-B        resident, and proportional, when free memory has been returned;
//	                      both from smaps_rollup, which counts pages and not batches of them
//
// In use means mapped by the runtime minus free, unused and returned memory: runtime.MemStats' Sys − HeapIdle −
// HeapInuse + HeapAlloc. Memory mapped by cgo or system calls is only in VmHWM, VmRSS and PSS.
//
// # When it is read
//
// Settled figures are read when the loop of a benchmark has ended and its function has not returned: then nothing
// allocates, and what was measured is still alive. A b.Loop benchmark is read in its last call of Loop. In a benchmark
// that loops over b.N, or calls b.RunParallel, the build compiles a copy of the test file with one call behind the loop,
// and with everything that was declared before the loop kept alive until then. Iterations may be of any length. The
// sources of the package are not changed.
//
// The loop must be in a test file of the measured package. If it is elsewhere, a second goroutine forces collections in
// the last fifth of the window, so that settled figures include the data of the running loop. What the loop allocates
// while a collection runs is not collected, and is subtracted: these figures are lower bounds, and a warning says by how
// much they may be too low if that is more than 5 %.
//
// The reads on the way are made at random times of the last window. Each forces a collection and takes what that found
// alive, including what was allocated while it ran. A benchmark that rebuilds its subject in each operation shows there
// how much of it lives at the least, in the median and at most.
//
// Peaks are the largest of what is read at the ends of cycles. Where most of these could not be read, they are left out.
// Forced collections make peaks smaller: with three iterations or more, the window with the reads has no peaks.
//
// # What occupies the heap
//
// A second profiler, "heap", is included in "mem" and can also be selected alone. In at most three forks of its own,
// the runtime samples one byte in 512 from the baseline on, and the profiler reads the memory profile at the settled
// moment of the last iteration: allocation sites by function and line, with the type of the objects.
//
// A site is the innermost function outside of the runtime. Counts are scaled as by pprof: of objects of size s, the
// share p = 1 − exp(−s/512) is sampled, so n·s bytes in n objects have a relative standard deviation of
// √((1−p)/(n·p)): 0.3 % for a million objects of 64 bytes, 9 % for a thousand. Objects of 4 KiB are almost never
// missed. Such sampling needs forks of its own, because each sampled object costs the runtime 32 bytes and allocation
// takes a few times as long.
//
// The type is the descriptor that machine code loads into a register right before the call that allocates, in the
// binary that ran. Where the runtime has a function for a type, as for strings, the called function determines it.
// Objects of generic code have the type of their shape, parts of maps have the type map, and allocations by package
// reflect have no type. This needs an ELF file for amd64 with its symbol table; otherwise there are only sites.
//
// The record has the result as JSON ([record.Heap]) and as a profile for pprof:
//
//	jq -r 'select(.name=="heap.pb.gz").data' FILE.jsonl | head -1 | base64 -d > heap.pb.gz
//	go tool pprof heap.pb.gz
//
// The names of the figures are those of the cache2k article on memory in benchmarks.
package mem
