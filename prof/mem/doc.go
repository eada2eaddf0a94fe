// Package mem is the profiler "mem" of tare bench: what a benchmark keeps alive,
// its peaks, and what the garbage collector does for it.
//
//	tare bench --prof mem
//
// Its forks are its own, because it forces collections and writes to /proc; the
// times of those forks are no scores. What it measures, in which unit, and when:
//
//	usedHeap_baseline-B   live heap before the benchmark's function was first called
//	usedMem_baseline-B    memory in use then
//	VmRSS_baseline-B      resident then
//	usedHeap_settled-B    live heap while the subject lives, collected until it is stable
//	usedHeap_growth-B     settled less baseline
//	usedMem_fin-B         memory in use after one collection
//	usedMem_settled-B     the same, collected until it is stable
//	usedMem_max-B         the same, the most that was seen at the end of a cycle
//	totalMem_settled-B    mapped by the Go runtime and not returned
//	totalMem_max-B        the same, the most that was seen at the end of a cycle
//	usedHeap_returned-B   live heap when the benchmark's function has returned
//	VmHWM-B               peak of resident memory in the window, reset at its start
//	mem-poll-share        share of the window that reading at the ends of cycles took
//	VmRSS-B, PSS-B        resident, and proportional, when free memory has been returned
//
// In use means mapped by the runtime less what is free, unused or returned:
// runtime.MemStats' Sys − HeapIdle − HeapInuse + HeapAlloc. Memory that is mapped
// by cgo or by system calls shows in VmHWM, VmRSS and PSS alone.
//
// While the subject lives means: in a b.Loop benchmark, in the last call of Loop.
// A benchmark that loops over b.N has nothing of the kind; there a second
// goroutine forces collections in the last fifth of the window, so that settled
// figures include what the loop itself had in hand.
//
// The names are those of the cache2k article on memory in benchmarks.
package mem
