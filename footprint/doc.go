// Package footprint tells what values weigh: how much memory is reachable from
// them, by type.
//
//	cache := fill()
//	r := footprint.Of(cache)
//	fmt.Print(r)                     // a table of the heaviest types
//	perEntry := r.Bytes / int64(n)   // what the allocator took
//	json.NewEncoder(w).Encode(r)
//
// It needs no hooks in what is weighed and stops nothing. Only the weighed values
// must stand still meanwhile: a writer at the same time is a data race.
//
// # What is counted
//
// An object is a block that the allocator handed out, and its weight is that of
// the block: its size class, whole pages above 32 KiB, the header of large
// objects with pointers, and one block of 16 bytes for several pointer-free
// objects below that size. Each is counted once, however many pointers lead to it
// or into it, and in whatever order they are met.
//
//   - Of slices the whole capacity is counted, of channels the whole buffer, of
//     maps also the empty slots.
//   - Unexported fields, interfaces and their boxes, embedded and nested values
//     are followed like any other, and so are atomic.Pointer, atomic.Value and
//     sync.Map.
//   - Constants and package-level variables are no part of the heap. They are
//     counted apart, and followed.
//
// # What is not
//
// Nothing is guessed. What the running program does not tell is listed in
// [Report.NotFollowed] with its place and number:
//
//   - the variables that a closure holds, and its own block: their types and
//     number are known to the compiler alone;
//   - what an unsafe.Pointer leads to;
//   - a uintptr, which is a number for the collector, and holds nothing;
//   - the entries of maps, channels or sync.Maps, should a later version of Go
//     arrange them in another way. What the entries refer to is followed
//     even then, except in channels.
//
// What is not seen at all: the part of a block that no pointer with a type leads
// to. A substring or a slice with a cut capacity may hold more than it shows.
// Where the address gives it away, the object is counted in [Report.Inside].
// Nor are goroutines, finalizers and cleanups seen, and memory from outside of
// Go's heap is counted as if it were from there.
//
// # How
//
// The types come from reflect. The layouts of maps, channels and sync.Maps are
// those of Go 1.26. On its first use in a program the package looks for
// known values in maps, channels and sync.Maps of its own, and relies on the
// layout only if it finds all of them. Size classes are asked of append. Where
// the program lies in memory is read from the header of its executable.
//
// Against the growth of the settled heap (runtime.MemStats.HeapAlloc) the result
// is exact to within 0.01 % for maps, slices, strings, trees, lists and sync.Maps
// of 10 MB and more; the package's tests allow 1 %.
//
// The walk needs, besides what it weighs, 288 bytes per 8 KiB of heap with small
// objects in it and 4 to 8 bytes per object, and 24 bytes for each object that
// waits for its turn: few with lists and trees, at worst one for each object with
// pointers. [Report.WalkBytes] says what it was.
package footprint
