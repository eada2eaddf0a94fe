// Package mem is the profiler "mem" of tare bench: what a benchmark keeps alive,
// its peaks, what the garbage collector does for it, and what occupies the heap.
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
//	VmRSS-B, PSS-B        resident, and proportional, when free memory has been returned;
//	                      both from smaps_rollup, which counts pages and not batches of them
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
// # What occupies the heap
//
// A second profiler, "heap", comes along with "mem" and can be asked for alone. In
// forks of its own, three at most, it has the runtime sample one byte in 512 from
// the moment of the baseline on, and reads the memory profile at the settled moment
// of the last iteration: sites that allocate, by function and line, with the type of
// what they allocate.
//
// A site is the innermost function outside of the runtime. Counts are scaled as pprof
// scales them: of objects of size s, the share 1 − exp(−s/512) is sampled, so that
// n·s bytes in n objects come with a relative standard deviation of
// √((1−p)/(n·p)), p being that share: 0.3 % for a million objects of 64 bytes, 9 %
// for a thousand. Of objects of 4 KiB next to none is missed. The
// figures of "mem" are not touched by that, which is why it has forks of its own:
// each sampled object costs the runtime 32 bytes, and allocating takes a few times
// as long.
//
// A type is found where the machine code says it: the descriptor that is loaded
// into a register right before the call that allocates, in the binary that ran; of
// strings and the like the function that is called is enough. Objects of generic
// code have the type of their shape, of maps a small part is known to be a map and
// no more, and what package reflect allocates is not known. That takes an ELF file
// for amd64 with its symbol table; elsewhere there are sites alone.
//
// The record has the result as JSON ([record.Heap]) and as a profile for pprof:
//
//	jq -r 'select(.name=="heap.pb.gz").data' FILE.jsonl | head -1 | base64 -d > heap.pb.gz
//	go tool pprof heap.pb.gz
//
// The names of the figures are those of the cache2k article on memory in benchmarks.
package mem
