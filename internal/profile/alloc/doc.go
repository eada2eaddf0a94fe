// Package alloc is the profiler "alloc" of tare bench: what an operation allocates, by the line that allocates it, the type
// of the objects and their size.
//
//	tare bench --prof alloc
//
//	alloc-objects/op         objects with a site
//	alloc-B/op               bytes of their slots
//	alloc-rest-objects/op    objects that package testing counted and this profiler did not; below 0: the reverse
//	alloc-rest-B/op          their bytes
//
// Objects are counted one by one, while the timer runs, and not sampled. The sum of the sites and of the rest is the
// allocs/op and B/op of the same run. Each fork attaches its sites ([record.Allocs]) and a profile for pprof:
//
//	jq -r 'select(.name=="allocs.pb.gz").data' FILE.jsonl | head -1 | base64 -d > allocs.pb.gz
//	go tool pprof -sample_index=alloc_objects allocs.pb.gz
//
// # How it counts
//
// A build of its own changes package runtime: the function that the allocator calls for its debug settings counts each object
// by call stack, type and size of the slot, in a table outside of the heap. That includes objects below 16 bytes that share a
// slot, which no memory profile of Go has. The runtime's own memory profile is neither used nor changed, so a benchmark
// may use it. Counting begins and ends with the world stopped, where package testing reads memory statistics: both count the
// same interval.
//
// The process counts twice: in its first measured iteration, which gets a quarter of the operations, and in its last one. The
// difference of the two has no set-up that does not depend on the number of operations, and no warm-up, which happens in
// earlier iterations. With one measured iteration, or a difference of fewer than 30 operations, there is one window, and what
// is allocated once is divided by its operations, as in allocs/op.
//
// # What a site is
//
// A site is the innermost function outside of the runtime, inlined ones included. The type is the one that the allocator
// gets. Memory without one, such as a string's, is named by the function of the runtime that allocates it. A table of 16,384
// stacks of 28 frames is kept; when half of it is taken, new stacks are cut to 10 frames, and when it is full, objects with
// new stacks are in the rest.
//
// # Overhead and limits
//
// An allocation takes 30 to 80 ns more where the runtime has frame pointers (amd64, arm64), and about 1 µs elsewhere. These
// forks run a sixteenth of the operations of timed ones, but at least 200 if those do, and their times are not results. With
// package bench the timer also runs before and after a window, and what is allocated then counts. In the rest are memory of
// user arenas, objects allocated under GODEBUG=sbrk=1, and what does not fit into the table. A runtime without the expected
// functions is refused: the profiler is not available then.
package alloc
